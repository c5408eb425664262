"""Finds comparisons of secrets whose time depends on how much of a guess is right.

A secret is known by its name: `token`, `form_key`, `row.ticket`, `raw.get("code")`, `f["state"]`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

WORDS = re.compile(
    r"(^|_)(tokens?|tickets?|secret|password|t?otp|nonce|mac|seal|sealed|signature|cookie|recovery|"
    r"credentials?|pass|bearer)(_|$)"
    r"|^(form|api|signing|connect|agent|link|personal|resume|metrics)_key$|^authorization$"
)
TIMED = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)


def name_of(node: ast.expr) -> str:
    """Return the last name of an expression: of a variable, an attribute, a key, or a call."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case ast.Subscript(value=value):
            return name_of(value)
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_]):
            return name
        case ast.Call(func=func, args=args):
            own = name_of(func)
            kept = own in {"str", "encode", "decode", "strip", "lower", "casefold"}
            inner = func.value if isinstance(func, ast.Attribute) else (args[0] if args else func)
            return name_of(inner) if kept else own
    return ""


def is_plain(node: ast.expr) -> bool:
    """Tell whether a value stands in the source: a text, a number, a NAME, a set of them."""
    if isinstance(node, ast.Set | ast.Tuple | ast.List):
        return all(is_plain(one) for one in node.elts)
    return isinstance(node, ast.Constant) or name_of(node).isupper()


def is_column(node: ast.expr) -> bool:
    """Tell whether this is a column, as in `participant.c.token`: the database looks it up."""
    return isinstance(node, ast.Attribute) and name_of(node.value) == "c"


def found_in(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of each comparison of something that is named like a secret."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and any(isinstance(one, TIMED) for one in node.ops):
            sides = [node.left, *node.comparators]
            is_secret = any(WORDS.search(name_of(one)) for one in sides)
            if is_secret and not any(is_plain(one) or is_column(one) for one in sides):
                yield node.lineno, ast.unparse(node)


def found_below(folder: Path) -> list[tuple[str, str]]:
    """Return (file, text) of each comparison below a folder."""
    return [
        (path.relative_to(folder.parent).as_posix(), text)
        for path in sorted(folder.rglob("*.py"))
        for _, text in found_in(path.read_text("utf-8"))
    ]


def compared_in(source: str) -> Iterator[str]:
    """Yield the name of each function that compares in constant time, once."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
            if any(name_of(one) == "compare_digest" for one in calls):
                yield node.name


def compared_below(folder: Path) -> set[tuple[str, str]]:
    """Return (file, function) of each that compares in constant time, below a folder."""
    return {
        (path.relative_to(folder.parent).as_posix(), name)
        for path in folder.rglob("*.py")
        for name in compared_in(path.read_text("utf-8"))
    }
