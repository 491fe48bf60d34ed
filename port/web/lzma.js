// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// Unpacks the .lzma file that port/web/build makes of both modules and the
// table: a range coder with adaptive bits, and copies of earlier bytes.

// Decodes bits with adaptive probabilities (11 bits each) from input.
class RangeDecoder {
    constructor(input, at) {
        this.input = input;
        this.at = at + 1; // the first byte is 0
        this.range = 0xffffffff;
        this.code = 0;
        for (let i = 0; i < 4; i++)
            this.code = (this.code << 8 | this.input[this.at++]) >>> 0;
    }

    normalize() {
        if (this.range < 0x1000000) {
            this.range = this.range << 8 >>> 0;
            this.code = (this.code << 8 | this.input[this.at++]) >>> 0;
        }
    }

    bit(odds, index) {
        const bound = (this.range >>> 11) * odds[index];
        let bit = 0;
        if (this.code < bound) {
            this.range = bound;
            odds[index] += (2048 - odds[index]) >> 5;
        } else {
            this.range -= bound;
            this.code -= bound;
            odds[index] -= odds[index] >> 5;
            bit = 1;
        }
        this.normalize();
        return bit;
    }

    // Bits that are as often 0 as 1.
    plain(count) {
        let value = 0;
        while (count-- > 0) {
            this.range >>>= 1;
            const bit = this.code >= this.range ? 1 : 0;
            if (bit)
                this.code -= this.range;
            value = (value << 1 | bit) >>> 0;
            this.normalize();
        }
        return value;
    }

    // A number of some bits, the highest first; odds from an index on.
    tree(odds, from, count) {
        let node = 1;
        for (let i = 0; i < count; i++)
            node = node << 1 | this.bit(odds, from + node);
        return node - (1 << count);
    }

    // The same, the lowest bit first.
    backTree(odds, from, count) {
        let node = 1, value = 0;
        for (let i = 0; i < count; i++) {
            const bit = this.bit(odds, from + node);
            node = node << 1 | bit;
            value |= bit << i;
        }
        return value;
    }
}

function evenOdds(count) {
    return new Uint16Array(count).fill(1024);
}

class LengthDecoder {
    constructor() {
        this.choice = evenOdds(2);
        this.low = evenOdds(16 * 8);
        this.middle = evenOdds(16 * 8);
        this.high = evenOdds(256);
    }

    read(coder, place) {
        if (!coder.bit(this.choice, 0))
            return 2 + coder.tree(this.low, place * 8, 3);
        if (!coder.bit(this.choice, 1))
            return 10 + coder.tree(this.middle, place * 8, 3);
        return 18 + coder.tree(this.high, 0, 8);
    }
}

class DistanceDecoder {
    constructor() {
        this.slots = evenOdds(4 * 64);
        this.middle = evenOdds(128);
        this.low = evenOdds(16);
    }

    read(coder, length) {
        const group = Math.min(length - 2, 3);
        const slot = coder.tree(this.slots, group * 64, 6);
        if (slot < 4)
            return slot;
        const bits = (slot >> 1) - 1;
        const base = ((2 | slot & 1) << bits) >>> 0;
        if (slot < 14)
            return base + coder.backTree(this.middle, base - slot, bits);
        return base + coder.plain(bits - 4) * 16 +
            coder.backTree(this.low, 0, 4);
    }
}

// Returns the first `size` bytes of what was packed.
function unpackLzma(input, size) {
    const literalContext = input[0] % 9;
    const literalPlaces = Math.floor(input[0] / 9) % 5;
    const placeMask = (1 << Math.floor(input[0] / 45)) - 1;
    const coder = new RangeDecoder(input, 13);
    const out = new Uint8Array(size);
    const literals = evenOdds(0x300 << literalContext + literalPlaces);
    const isMatch = evenOdds(12 * 16), isLong = evenOdds(12 * 16);
    const isRepeat = evenOdds(12), isOlder = [0, 1, 2].map(() => evenOdds(12));
    const lengths = new LengthDecoder(), repeatLengths = new LengthDecoder();
    const distances = new DistanceDecoder();
    const recent = [0, 0, 0, 0]; // distances less 1, the latest first
    let state = 0, at = 0;

    function readLiteral() {
        const before = at > 0 ? out[at - 1] : 0;
        const context = (at & (1 << literalPlaces) - 1) << literalContext |
            before >> 8 - literalContext;
        const from = 0x300 * context;
        let node = 1;
        if (state >= 7) {
            let match = out[at - recent[0] - 1];
            while (node < 256) {
                const wanted = match >> 7 & 1;
                match <<= 1;
                const bit = coder.bit(literals,
                                      from + (1 + wanted << 8) + node);
                node = node << 1 | bit;
                if (bit !== wanted)
                    break;
            }
        }
        while (node < 256)
            node = node << 1 | coder.bit(literals, from + node);
        out[at++] = node & 255;
        state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
    }

    // Puts a distance that was used before in front.  Returns whether a single
    // byte is copied.
    function chooseRepeat(place) {
        if (!coder.bit(isOlder[0], state))
            return !coder.bit(isLong, state * 16 + place);
        let index = 1;
        if (coder.bit(isOlder[1], state))
            index = 2 + coder.bit(isOlder[2], state);
        recent.unshift(recent.splice(index, 1)[0]);
        return false;
    }

    function copy(length) {
        const end = Math.min(at + length, size);
        for (; at < end; at++)
            out[at] = out[at - recent[0] - 1];
    }

    while (at < size) {
        const place = at & placeMask;
        if (!coder.bit(isMatch, state * 16 + place)) {
            readLiteral();
        } else if (!coder.bit(isRepeat, state)) {
            const length = lengths.read(coder, place);
            recent.pop();
            recent.unshift(distances.read(coder, length));
            state = state < 7 ? 7 : 10;
            copy(length);
        } else if (chooseRepeat(place)) {
            state = state < 7 ? 9 : 11;
            copy(1);
        } else {
            const length = repeatLengths.read(coder, place);
            state = state < 7 ? 8 : 11;
            copy(length);
        }
    }
    return out;
}
