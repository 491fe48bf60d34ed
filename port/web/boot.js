// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// Unpacks what the page is made of, and starts it.

// Reads the bytes that port/web/build wrote as letters.
function readLetters(text) {
    const out = new DataView(new ArrayBuffer(text.length / 5 * 4));
    for (let i = 0; i < text.length; i += 5) {
        let word = 0;
        for (let k = 0; k < 5; k++) {
            const code = text.charCodeAt(i + k);
            word = 85 * word + (code === 126 ? 25 : code - 35);
        }
        out.setUint32(i / 5 * 4, word);
    }
    return new Uint8Array(out.buffer);
}

// sizes: bytes of both modules, the table, the elements and the script, which
// the page has packed.
async function startPage(sizes) {
    try {
        const packed = document.getElementById("packed").textContent.trim();
        const all = unpackLzma(readLetters(packed),
                               sizes.reduce((a, b) => a + b));
        const [float, fixed, table, elements, text] = sizes.map((size, i) => {
            const from = sizes.slice(0, i).reduce((a, b) => a + b, 0);
            return all.subarray(from, from + size);
        });
        const read = (bytes) => new TextDecoder().decode(bytes);
        document.body.insertAdjacentHTML("afterbegin", read(elements));
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
