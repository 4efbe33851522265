"""The types that the page's script is checked by are those of the server, and no script is exempt."""

from __future__ import annotations

import re
from typing import Literal, TypedDict

import pytest

from explorer.ui.scripts import STATIC_FOLDER
from tests.payload_types import WRITTEN, interface, type_text, written


class Point(TypedDict):
    """A place, with a name where it has one."""

    at: tuple[float, float]
    name: str | None


class NamedPoint(Point, total=False):
    """The same with a note that may be missing."""

    note: Literal["near", "far"]


CASES = [
    (str, "string"),
    (int | None, "number | null"),
    (int | float, "number"),
    (list[str | None], "(string | null)[]"),
    (tuple[bool, ...], "boolean[]"),
    (dict[str, list[float]], "Record<string, number[]>"),
    (Literal["a", 1], '"a" | 1'),
    (list[Point], "tests.test_payload_types.Point[]"),
    (object, "any"),
]


@pytest.mark.parametrize(("hint", "expected"), CASES, ids=[expected for _, expected in CASES])
def test_a_python_type_is_written_as_one_of_the_script(hint: object, expected: str) -> None:
    assert type_text(hint, {Point}) == expected


def test_a_field_that_may_be_missing_is_optional() -> None:
    fields = [line.strip() for line in interface(NamedPoint, set())[1:-1]]
    assert fields == ["at: [number, number];", "name: string | null;", 'note?: "near" | "far";']


def test_the_types_of_the_script_are_those_of_the_server() -> None:
    assert WRITTEN.read_text(encoding="utf-8") == written(), "run python -m tests.payload_types"


def test_no_script_is_exempt_from_the_checks() -> None:
    exempt = re.compile("@ts-(nocheck|ignore|expect-error)|eslint-disable")
    assert not [path.name for path in STATIC_FOLDER.rglob("*.js") if exempt.search(path.read_text(encoding="utf-8"))]
