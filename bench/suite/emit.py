"""A jit function as a file of its own: its source, and under their names the helpers, constants, types
and modules that it and they refer to."""
import ast
import enum
import inspect
import textwrap
import types

import triton
import triton.language as tl
from triton.runtime.jit import ConstexprFunction, JITFunction


class NotWritten(Exception):
    """A value that has no text that would make it again."""


def is_of_triton(value):
    return str(getattr(value, "__module__", "")).partition(".")[0] == "triton"


def language_name(value):
    """`tl.sum`, if that is this very object."""
    name = getattr(value, "__name__", None)
    for prefix, module in (("tl", tl), ("tl.math", tl.math), ("tl.extra.cuda", tl.extra.cuda),
                           ("triton", triton)):
        if name and getattr(module, name, None) is value:
            return f"{prefix}.{name}"
    return None


class File:
    """The text that grows as functions and values are asked for."""

    def __init__(self):
        self.parts = ["import triton", "import triton.language as tl"]
        self.bound = {"tl": ("import triton.language as tl", id(tl)),
                      "triton": ("import triton", id(triton))}
        self.functions = {}  # id of what defines -> its name in the file
        self.kept = []       # objects whose ids are in use

    def text(self):
        return "\n\n".join(self.parts) + "\n"

    def free_name(self, name):
        count = 1
        free = name
        while free in self.bound:
            count += 1
            free = f"{name}__{count}"
        return free

    # --- Values ----------------------------------------------------------------------------------

    def value(self, value):
        """An expression for a value; writes what it needs. Raises NotWritten."""
        if isinstance(value, tl.constexpr):
            return f"tl.constexpr({self.value(value.value)})"
        if isinstance(value, enum.Enum):
            return f"tl.{type(value).__name__}.{value.name}" if is_of_triton(type(value)) else repr(value)
        if isinstance(value, float):
            return repr(value) if abs(value) < float("inf") else f"float('{value}')"
        if value is None or isinstance(value, (bool, int, str)):
            return repr(value)
        if isinstance(value, tl.dtype) and not isinstance(value, tl.pointer_type):
            return f"tl.{value}" if hasattr(tl, str(value)) else self.dtype(value)
        if isinstance(value, tl.pointer_type):
            return f"tl.pointer_type({self.value(value.element_ty)})"
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            inner = ", ".join(self.value(item) for item in value)
            return f"{self.define(type(value))}({inner})"
        if isinstance(value, (tuple, tl.tuple)):
            return "(" + "".join(self.value(item) + ", " for item in value) + ")"
        if isinstance(value, list):
            return "[" + ", ".join(self.value(item) for item in value) + "]"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.value(k)}: {self.value(v)}" for k, v in value.items()) + "}"
        if callable(value):
            return self.define(value)
        raise NotWritten(f"a {type(value).__name__}")

    def dtype(self, value):
        for name in dir(tl):
            if isinstance(getattr(tl, name), tl.dtype) and getattr(tl, name) == value:
                return f"tl.{name}"
        raise NotWritten(f"type {value}")

    def define(self, function):
        """The name of a function or class in the file."""
        if id(function) in self.functions:
            return self.functions[id(function)]
        if is_of_triton(function):
            return language_name(function) or self.imported(function)
        if isinstance(function, JITFunction):
            return self.function(function, "@triton.jit", function.src, function.get_capture_scope())
        if isinstance(function, ConstexprFunction):
            return self.function(function, "@triton.constexpr_function", function.src,
                                 function.get_capture_scope())
        if isinstance(function, type) or inspect.isfunction(function):
            return self.plain(function)
        raise NotWritten(f"a {type(function).__name__}")

    def imported(self, function):
        name = self.free_name(function.__name__)
        self.bound[name] = ("import", id(function))
        self.functions[id(function)] = name
        self.parts.append(f"from {function.__module__} import {function.__name__} as {name}")
        return name

    def plain(self, what):
        if str(what.__module__) in ("builtins", "math", "typing", "torch"):
            raise NotWritten(what.__qualname__)
        try:
            source = textwrap.dedent(inspect.getsource(what))
        except (OSError, TypeError) as error:
            raise NotWritten(what.__name__) from error
        scope = dict(vars(inspect.getmodule(what)))
        if inspect.isfunction(what):
            scope.update(inspect.getclosurevars(what).nonlocals)
            if what.__name__ == "<lambda>":
                raise NotWritten("a lambda")
        return self.function(what, None, source, scope)

    # --- Functions -------------------------------------------------------------------------------

    def function(self, owner, decorator, source, scope):
        """Writes a function or class with all that it names. Returns its name in the file."""
        own = owner.__name__
        name = self.free_name(own)
        self.bound[name] = ("function", id(owner))
        self.functions[id(owner)] = name
        self.kept.append(owner)
        tree = ast.parse(source)
        renamed = {own: name} if name != own else {}
        for used in sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}):
            if used not in scope or used == own and scope[used] is owner:
                continue
            placed = self.bind(used, scope[used])
            if placed != used:
                renamed[used] = placed
        text = rename(source, tree, own, renamed)
        self.parts.append(f"{decorator}\n{text.rstrip()}" if decorator else text.rstrip())
        return name

    def bind(self, name, value):
        """Gives a value a name, this one if it is free. Values that have no text stay unknown."""
        if isinstance(value, types.ModuleType):
            text = f"import {value.__name__} as {name}"
            if value.__name__.startswith("triton.") and value.__name__ != "triton.language":
                package, _, last = value.__name__.rpartition(".")
                text = f"from {package} import {last} as {name}"
            return self.place(name, text, value)
        try:
            expression = self.value(value)
        except NotWritten:
            return name
        return name if expression == name else self.place(name, f"{name} = {expression}", value)

    def place(self, name, text, value):
        if name in self.bound and self.bound[name][0] == text:
            return name
        free = self.free_name(name)
        self.bound[free] = (text, id(value))
        if text.startswith(f"{name} = "):
            text = free + text[len(name):]
        elif text.endswith(f" as {name}"):
            text = text[:-len(name)] + free
        self.parts.append(text)
        return free


def rename(source, tree, own, renamed):
    """The source with other names, at the very places where they stand as names."""
    if not renamed:
        return source
    lines = source.split("\n")
    places = [(node.lineno, node.col_offset, node.id) for node in ast.walk(tree)
              if isinstance(node, ast.Name) and node.id in renamed]
    for row, column, name in sorted(places, reverse=True):
        line = lines[row - 1].encode()
        line = line[:column] + renamed[name].encode() + line[column + len(name.encode()):]
        lines[row - 1] = line.decode()
    text = "\n".join(lines)
    for keyword in ("def ", "class "):
        if own in renamed:
            text = text.replace(f"{keyword}{own}", f"{keyword}{renamed[own]}", 1)
    return text
