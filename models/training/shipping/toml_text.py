"""Writes registry files as TOML; tomlkit quotes and escapes the text of findings and warnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import tomlkit

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def toml_text(
    written_by: str, values: Mapping[str, object], tables: Mapping[str, object], remarks: Mapping[str, str]
) -> str:
    """Return the file's text: a comment on its origin, keys with values, then tables; `remarks` precede their keys.

    A list of texts in `values` is written one per line. In `tables`, a mapping is a table or a table of tables by
    finding, a list is an array of tables, and empty ones are left out.
    """
    document = tomlkit.document()
    document.add(tomlkit.comment(written_by))
    for key, value in values.items():
        if key in remarks:
            document.add(tomlkit.comment(remarks[key]))
        document.add(key, _value(value))
    for key, table in tables.items():
        if table:
            document.add(tomlkit.nl())
            document.add(key, _rows(table) if isinstance(table, list) else _table(table))
    return tomlkit.dumps(document)


def rows_by_finding(rows: Mapping[str, DataclassInstance]) -> dict[str, dict[str, Any]]:
    """Return a row per finding, in the form that `toml_text` needs for a table of tables."""
    return {finding: asdict(row) for finding, row in rows.items()}


def _value(value: Any) -> Any:  # noqa: ANN401 - any kind of TOML item
    item = tomlkit.item(value)
    if isinstance(value, list) and any(isinstance(each, str) for each in value):
        item.multiline(True)
    return item


def _rows(rows: Sequence[Mapping[str, object]]) -> Any:  # noqa: ANN401
    array = tomlkit.aot()
    for row in rows:
        array.append(_table(row))
    return array


def _table(table: Any) -> Any:  # noqa: ANN401
    nested = any(isinstance(each, Mapping) for each in table.values())
    made = tomlkit.table(is_super_table=nested)
    for key, value in table.items():
        made.append(key, _table(value) if isinstance(value, Mapping) else value)
    return made
