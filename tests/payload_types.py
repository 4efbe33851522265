"""What the server answers, as types of the page's script: every TypedDict of `explorer` in `types/payloads.d.ts`.

`python -m tests.payload_types` writes the file anew. `FilmPayload` of `explorer.ui.viewer.payload` is
`ui.viewer.payload.FilmPayload` there.
"""

from __future__ import annotations

import enum
import importlib
import json
import re
import types
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

ROOT = Path(__file__).parents[1]
WRITTEN = ROOT / "types" / "payloads.d.ts"
HEAD = (
    "// What the server answers, by the Python module that declares it. Written by `python -m tests.payload_types`.\n"
)
DECLARES = re.compile(r"^class \w+\(.*(TypedDict|Payload|Answer)\b.*\):|= TypedDict\(", re.MULTILINE)
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}


def declared() -> dict[str, list[type]]:
    """The TypedDicts of `explorer` by the name of their module, in the order in which they stand there."""
    found: dict[str, list[type]] = defaultdict(list)
    for path in sorted((ROOT / "explorer").rglob("*.py")):
        if DECLARES.search(path.read_text(encoding="utf-8")):
            module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            found[module.__name__] = [
                each for each in vars(module).values() if is_typeddict(each) and each.__module__ == module.__name__
            ]
    return {name: each for name, each in found.items() if each}


def type_text(hint: object, known: set[type]) -> str:
    """A Python type as TypeScript writes it; what is no plain data there is `any`."""
    if hint in PLAIN:
        return PLAIN[hint]
    if isinstance(hint, type) and hint in known:
        return f"{_namespace(hint.__module__)}.{hint.__name__}"
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return " | ".join(json.dumps(each.value) for each in hint)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(json.dumps(each) for each in parts)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(type_text(each, known) for each in parts))
    if origin in (list, Sequence) or (origin is tuple and parts[-1] is ...):
        inner = type_text(parts[0], known)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(type_text(each, known) for each in parts)}]"
    if origin in (dict, Mapping):
        return f"Record<string, {type_text(parts[1], known)}>"
    return "any"


def interface(declaration: type, known: set[type]) -> list[str]:
    """The lines of one TypedDict."""
    lines = [f"  interface {declaration.__name__} {{"]
    for field, hint in get_type_hints(declaration, include_extras=True).items():
        optional = get_origin(hint) is NotRequired or field not in declaration.__required_keys__  # type: ignore[attr-defined]
        plain = get_args(hint)[0] if get_origin(hint) is NotRequired else hint
        lines.append(f"    {field}{'?' if optional else ''}: {type_text(plain, known)};")
    return [*lines, "  }"]


def written() -> str:
    """The whole file."""
    modules = declared()
    known = {each for declarations in modules.values() for each in declarations}
    blocks = [
        "\n".join([f"declare namespace {_namespace(name)} {{", *_lines(declarations, known), "}\n"])
        for name, declarations in modules.items()
    ]
    return "\n".join([HEAD, *blocks])


def _lines(declarations: list[type], known: set[type]) -> list[str]:
    return [line for each in declarations for line in interface(each, known)]


def _namespace(module: str) -> str:
    return module.removeprefix("explorer.")


if __name__ == "__main__":
    WRITTEN.write_text(written(), encoding="utf-8")
