"""Bundles the page's ES modules into one script, because a standalone file cannot import modules.

The modules have a form that tests/ui/test_modules.py enforces: they import names, one import per line, and export
declarations in place.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

_IMPORT = re.compile(r'^import \{ (?P<names>.+) \} from "(?P<path>.+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|let|class|function|async function) [\w$]+)", re.MULTILINE)
_NAME = re.compile(r"^export (?:const|let|class|function|async function) ([\w$]+)", re.MULTILINE)


def import_order(main: str, text_of: Callable[[str], str]) -> list[str]:
    """Return a module and everything that it imports, without repeats, imported modules first."""
    found: list[str] = []

    def visit(name: str) -> None:
        if name not in found:
            for match in _IMPORT.finditer(text_of(name)):
                visit(_resolve(name, match["path"]))
            found.append(name)

    visit(main)
    return found


def bundle_modules(main: str, text_of: Callable[[str], str]) -> str:
    """Return a single script equivalent to `main`: each module becomes a function that returns its exports."""
    names = import_order(main, text_of)
    return "\n".join(_wrap(name, text_of(name), names) for name in names)


def _wrap(name: str, text: str, names: list[str]) -> str:
    def binding(match: re.Match[str]) -> str:
        return f"const {{ {match['names']} }} = m{names.index(_resolve(name, match['path']))};"

    body = _EXPORT.sub("", _IMPORT.sub(binding, text))
    return f"const m{names.index(name)} = (() => {{\n{body}\nreturn {{ {', '.join(_NAME.findall(text))} }};\n}})();"


def _resolve(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
