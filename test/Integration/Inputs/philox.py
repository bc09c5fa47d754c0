"""Compares what random.tile stored with Philox-4x as Salmon et al. (2011) define it."""
import ast
import math
import struct
import sys


def philox(seed, counter, bits=32, rounds=10):
    mask = (1 << bits) - 1
    if bits == 32:
        multipliers, weyl = (0xD2511F53, 0xCD9E8D57), (0x9E3779B9, 0xBB67AE85)
        key = [seed & mask, seed >> 32 & mask]
    else:
        multipliers = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
        weyl = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
        key = [seed & mask, 0]
    c = [word & mask for word in counter]
    for _ in range(rounds):
        p0, p1 = multipliers[0] * c[0], multipliers[1] * c[2]
        c = [(p1 >> bits) ^ c[1] ^ key[0], p1 & mask, (p0 >> bits) ^ c[3] ^ key[1], p0 & mask]
        key = [k + w & mask for k, w in zip(key, weyl)]
    return c


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def uniform(word):
    return f32(f32(~(word - (1 << 32)) if word >> 31 else word) * f32(4.6566127342e-10))


def normal(u1, u2):
    radius = math.sqrt(-2 * math.log(max(1e-7, u1)))
    return [radius * math.cos(2 * math.pi * u2), radius * math.sin(2 * math.pi * u2)]


def load(name):
    data = open(f"{sys.argv[1]}/{name}.npy", "rb").read()
    length = struct.unpack("<H", data[8:10])[0]
    kind = ast.literal_eval(data[10:10 + length].decode())["descr"]
    code = {"<u4": "I", "<i8": "Q", "<f4": "f"}[kind]
    body = data[10 + length:]
    return list(struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body))


seed = int(sys.argv[2]) & (1 << 64) - 1
offsets = range(-64, 64)
words = [philox(seed, [o, 0, 0, 0]) for o in offsets]
flat = lambda rows: [x for row in rows for x in row]
print("randint4x:", load("words") == flat(words))
print("rand:", load("uniform") == [uniform(w[0]) for w in words])
print("64-bit offsets:", load("wide") == [philox(seed, [o, o >> 32, 0, 0])[0] for o in offsets])
print("64-bit counters:", load("rounds") == flat(philox(5, [o, 1, 2, 3], 64, 7) for o in offsets))
u = [[uniform(x) for x in w] for w in words]
expected = flat(normal(v[0], v[1]) + normal(v[2], v[3]) for v in u)
print("randn4x:", all(abs(a - b) < 2e-6 + 1e-5 * abs(b) for a, b in zip(load("normal"), expected)))
