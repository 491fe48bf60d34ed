// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// Unpacks what the page is made of, and starts it.

// sizes: bytes of both modules, the table and the script; base64: all of them,
// packed.
async function startPage(sizes, base64) {
    try {
        const input = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const all = unpackLzma(input, sizes.reduce((a, b) => a + b));
        const [float, fixed, table, text] = sizes.map((size, i) => {
            const from = sizes.slice(0, i).reduce((a, b) => a + b, 0);
            return all.subarray(from, from + size);
        });
        const read = (bytes) => new TextDecoder().decode(bytes);
        const script = document.createElement("script");
        script.textContent = read(text);
        document.head.append(script); // and runs it
        await main({ float: await WebAssembly.compile(float),
                     fixed: await WebAssembly.compile(fixed),
                     table: read(table) });
    } catch (error) {
        document.getElementById("loading").textContent =
            "This page cannot run here: " + error.message;
        throw error;
    }
}
