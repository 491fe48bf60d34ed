#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Prints what is in a replay: header, the bodies of the seed, calls, hashes.
# Written from SPEC.md alone, sections 4, 5 and 11: it knows nothing else of
# the engine, and so tells whether that is enough.
#
#     replay_reader.py FILE             all
#     replay_reader.py --hashes FILE    `step hash` of each step

import math
import struct
import sys

U32 = 0xFFFFFFFF
# binary places of the state of a fixed-point world, and of arguments of calls
REAL, UNIT, SPIN, CALL = 20, 29, 17, 32
# number: name, and types: i integer or id, f real
SHAPE = "iiii%siiiiifffff" % ("f" * 13)
OPS = {
    1: ("end", "ii"), 2: ("step", "i"), 3: ("keyframe", None),
    4: ("restore", None), 5: ("set gravity", "fff"),
    6: ("body create", "ii%siiii%s%si" % ("f" * 17, "f" * 7, SHAPE)),
    7: ("body destroy", "i"), 8: ("body set transform", "ifffffff"),
    9: ("body set velocity", "iffffff"), 10: ("body set mass", "ifffffff"),
    11: ("body set damping", "iff"), 12: ("body set gravity scale", "if"),
    13: ("body set max speed", "if"), 14: ("body set locks", "ii"),
    15: ("body set bullet", "ii"), 16: ("body enable sleep", "ii"),
    17: ("body set awake", "ii"), 18: ("body set user", "ii"),
    19: ("body apply force", "iffffff"),
    20: ("body apply center force", "ifff"),
    21: ("body apply torque", "ifff"), 22: ("body apply impulse", "iffffff"),
    23: ("body apply center impulse", "ifff"),
    24: ("body apply angular impulse", "ifff"),
    25: ("shape create", "i%si" % SHAPE),
    26: ("shape destroy", "i"), 27: ("shape set material", "iffii"),
    28: ("shape set filter", "iiii"),
    29: ("shape set surface velocity", "ifff"), 30: ("tables", "ii"),
    31: ("joint create", "iiii%siifffffiffffiffifffiiiiiifffffffi" % ("f" * 14)),
    32: ("joint destroy", "i"), 33: ("joint set limit", "iiff"),
    34: ("joint set cone", "if"), 35: ("joint set motor", "iiff"),
    36: ("joint set strength", "iff"), 37: ("joint set user", "ii"),
    38: ("joint set spring", "iff"), 39: ("joint set drive", "iiff"),
    40: ("joint set target", "if"), 41: ("joint set axes", "iiii"),
    42: ("joint set frame", "iffff"), 43: ("body set type", "ii"),
    44: ("body enable", "ii"), 45: ("body set linear velocity", "ifff"),
    46: ("body set spin", "ifff"), 47: ("body move to", "iffffffff"),
    48: ("shape set user", "ii"), 49: ("shape set pose", "ifffffff"),
    50: ("shape set size", "ifff"), 51: ("shape set density", "if"),
    52: ("shape set sensor", "ii"), 53: ("shape set surface spin", "ifff"),
    54: ("explode", "iiiffffff"), 55: ("set pair rule", "iiiifffff"),
    56: ("shape set rolling friction", "iff"),
    57: ("hull create", "i%si" % ("f" * 48)), 58: ("hull destroy", "i"),
}
HEADER = ("magic", "format", "version", "bits", "scalar kind", "bodies",
          "shapes", "pairs", "manifolds", "contacts", "dt",
          "keyframe interval", "seed size", "header checksum")


def rotl(x, n):
    return (x << n | x >> (32 - n)) & U32


def checksum(words):
    h = 0
    for w in words:
        w = rotl(w * 0x85EBCA77 & U32, 13) * 0x9E3779B1 & U32
        h = (rotl(h ^ w, 17) * 5 + 0x52DCE729) & U32
    h = (h ^ h >> 15) * 0x2C1B3C6D & U32
    h = (h ^ h >> 12) * 0x297A2D39 & U32
    return h ^ h >> 15


def must(holds, what):
    if not holds:
        sys.exit("replay_reader.py: " + what)


def from_float(word):
    return struct.unpack("<f", struct.pack("<I", word))[0]


def real(word, places, fixed):
    """A number of the state."""
    if not fixed:
        return from_float(word)
    return (word - (word >> 31 << 32)) * 2.0 ** -places


def length(kinds, fixed):
    return len(kinds) + (kinds.count("f") if fixed else 0)


def numbers(words, kinds, fixed):
    words = iter(words)
    for kind in kinds:
        word = next(words)
        if kind == "i":
            yield "%08x" % word
        elif not fixed:
            yield "%.9g" % from_float(word)
        else:
            high = next(words)
            whole = word | high << 32
            yield "%.12g" % ((whole - (high >> 31 << 64)) * 2.0 ** -CALL)


def text(words, kinds, fixed):
    return " ".join(numbers(words, kinds, fixed))


class Stream:
    def __init__(self, words, fixed):
        self.words, self.at, self.fixed = words, 0, fixed

    def take(self, count):
        must(self.at + count <= len(self.words), "a snapshot ends early")
        self.at += count
        return self.words[self.at - count:self.at]

    def reals(self, count, places):
        return [real(w, places, self.fixed) for w in self.take(count)]


def last_part(q, away, fixed):
    places = UNIT if fixed else 30
    rest = 4 ** places - sum(math.trunc(x * 2 ** places) ** 2 for x in q)
    root = math.isqrt(rest)
    if fixed:
        return (root + away - 32) * 2.0 ** -UNIT
    bits = struct.pack("<f", root * 2.0 ** -30)
    return from_float(struct.unpack("<I", bits)[0] + away - 32)


def rotation(head, s):
    away, largest = head >> 7 & 63, head >> 4 & 3
    if away == 0:
        return s.reals(4, UNIT)
    q = s.reals(3, UNIT)
    last = last_part(q, away, s.fixed)
    q.insert(largest, -last if head & 1 << 6 else last)
    return q


def shapes(flags, s):
    count = 1
    while True:
        for bit, words in ((21, 1), (22, 1), (30, 1), (23, 3), (24, 3),
                           (25, 4), (26, 3), (27, 3), (28, 3), (31, 2)):
            s.take(words if flags & 1 << bit else 0)
        if not flags & 1 << 20:
            return count
        flags, count = s.take(1)[0], count + 1


def joints(count, s):
    for slot in range(count):
        head = s.take(1)[0]
        if head & 7 == 0:
            continue
        s.take(head >> 8 & 1)
        held = s.take(1)[0]
        must(held & 0xFFFF != held >> 16, "a joint holds one body")
        for bit, words in ((9, 1), (10, 3), (11, 4), (12, 3), (13, 4),
                           (14, 3), (15, 2), (16, 2)):
            s.take(words if head & 1 << bit else 0)
        s.take(bin(head >> 17 & 127).count("1"))
        s.take(2 * (head >> 24 & 1) + 2 * (head >> 26 & 1) + (head >> 27 & 1))
        yield "joint %d type %d flags %d bodies %d %d" % (
            slot, head & 7, head >> 3 & 31, held & 0xFFFF, held >> 16)


def bodies(seed):
    must(seed[0] == 0x53505356 and seed[5] == 4 * len(seed) and
         checksum(seed[:6] + [0] + seed[7:]) == seed[6], "no snapshot")
    s, named = Stream(seed[44:], seed[4] == 2), 0
    for slot in range(seed[12]):
        s.take(3 * (s.take(1)[0] >> 16))
    for slot in range(seed[7]):
        head = s.take(1)[0]
        if head & 3 == 0:
            continue
        s.take((head >> 17 & 1) + (head >> 15 & 1))
        position = s.reals(3, REAL)
        q = rotation(head, s)
        must(abs(sum(x * x for x in q) - 1) < 0.001, "a rotation is none")
        moves = (s.reals(3, REAL) + s.reals(3, SPIN) if head & 1 << 13
                 else [])
        given = head >> 2 & 3
        s.take(6 * (head >> 14 & 1) + 3 * (head >> 16 & 1) +
               2 * (head >> 19 & 1) +
               (0, 1, 11 if s.fixed else 10)[given])
        count = shapes(head, s) if head & 1 << 18 else 0
        named += count
        yield "body %d type %d shapes %d at %s turned %s moving %s" % (
            slot, (head & 3) - 1, count, *(" ".join("%.9g" % x for x in v)
                                           for v in (position, q, moves)))
    s.take(seed[8] - named)
    yield from joints(seed[9], s)
    s.take(4 * seed[10] + seed[11])
    rules = len(s.words) - s.at
    must(rules % 8 == 0 and rules <= 64, "rules of pairs are not whole")


def main(args):
    data = open(args[-1], "rb").read()
    must(len(data) % 4 == 0 and len(data) >= 68, "not whole")
    words = list(struct.unpack("<%dI" % (len(data) // 4), data))
    must(words[0] == 0x52505356 and words[1] == 9, "no replay")
    must(checksum(words[:13]) == words[13], "header checksum is wrong")
    must(checksum(words[:-1]) == words[-1], "checksum is wrong")
    at, step, say = 14 + words[12] // 4, 0, args[0] != "--hashes"
    fixed = words[4] == 2
    for name, word in zip(HEADER, words) if say else ():
        print(name, "%.9g" % real(word, UNIT, fixed) if name == "dt"
              else "%#x" % word)
    for line in bodies(words[14:at]):
        print(line) if say else 0
    while at < len(words):
        name, kinds = OPS[words[at] & 0xFF]
        payload = words[at + 1:at + 1 + (words[at] >> 8)]
        must(kinds is None or length(kinds, fixed) == len(payload),
             name + ": length")
        kinds = kinds or "i" * len(list(bodies(payload)))
        at += 1 + len(payload)
        step += name == "step"
        if not say and name == "step":
            print(step, "%08x" % payload[0])
        print(name, text(payload, kinds, fixed)) if say else 0
    must(name == "end" and payload[0] == step, "the end is not where it is")


main(sys.argv[1:])
