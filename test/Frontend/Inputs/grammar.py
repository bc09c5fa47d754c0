# -*- coding: utf-8 -*-
from __future__ import annotations
type Alias[T: int = str, *Ts, **P] = dict[T, tuple[*Ts]]
def gen[T](x: T, /, y=1, *args: *tuple[int], z, **kw) -> "T":
    yield
    x = yield from (i async for i in y) if z else [*args, *{1, 2}, {**kw, 'a': 1}]
    return (yield x)
async def co(a):
    async with a as b, (c := a) as d: pass
    async for i in a: await i
    else: pass
    return [await x async for x in a if await x]
with (open("a") as f, open("b") as g,): pass
with (yield_ := 3): pass
match x, y:
    case [1, 2, *rest] | (3 as q): pass
    case {"a": 1, **kw} if kw: pass
    case Point(x=0, y=-1.5j) | None | True | "s" "t" | a.b.c: pass
    case [*_, 1]: pass
    case _: pass
match = 3; case = 4; type = 5; _ = match
match(1)
match[1]: int = 3
print(match, case, type)
type X = int
try: pass
except* (A, B) as e: pass
try: pass
except: pass
else: pass
finally: pass
lambda *a, b=1, **k: (a, b, k)
f"{x!r:>{width}.{prec}} {{}} {'a' if x else f'{y:{z}}'} {x = } {d['k']} {lambda_:=^10}"
f'''{
  x  # comment
  + 1
}'''
rb'\x00' rB"a" Rb'''x
y''' br"q"
0xFF_FF, 0b1_0, 0o17, 1_000.5e-1_0, 1j, .5, 5., 1e10
a = b = c, *d = *e, 1
x: int
(x): int = 3
x.y: int = 3
x[1:2, ::3, ...] = 4
del a, (b, c), [d], e.f, g[0]
global qq
naïve = 'ü'; 变量 = 1
if x: \
   pass
assert x, "y"
raise E from None
@a.b[c](d)
@(lambda f: f)
class C(Base, metaclass=M, **kw): x = 1; y: int = 2
a @= b; a //= b; a **= c; a >>= 1; a <<= 2; a ^= 1; a |= 2; a &= 3; a %= 4
not x is not y not in z
x if y else z if w else v
print(*a, *d, **b, c=1)
(x for x in y)
f(x for x in y)
{x: y for x in z for w in v if u if t}
[x, y] = z
for x, *y in z: break
for x in *a, b: continue
while (n := n - 1): pass
else: pass
nonlocal_ = 1
def g():
	if x:
	    return
	def h():
	    nonlocal x
import a.b.c as d, e
from . import x
from ..a.b import (c as d, e,)
from ... import q
from .... import r


import triton
import triton.language as tl


@triton.jit
def kernel(x: "*fp32"):
    tl.store(x, 1.0)
