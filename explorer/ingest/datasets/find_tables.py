"""Finds the tables of a download, or says where they might be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from explorer.core.word_lists import comma_list
from explorer.ingest.datasets.catalog import KnownDataset, dataset_with_columns
from explorer.ingest.datasets.table_rows import PACKED_ENDINGS
from explorer.ingest.found_below import ARCHIVES, MAX_NAMED
from explorer.tabular.problems import WrongInput

MAX_FOLDERS = 200  # searched, at each of two levels


def checked_root(root: Path, dataset: KnownDataset) -> Path:
    """Return the folder of a download. Raises WrongInput if it is not a folder."""
    if root.is_file():
        raise WrongInput(f"{root} is a file. Unpack it, and name the folder that has {_table_names(dataset.tables)}.")
    if not root.is_dir():
        raise WrongInput(f"There is no folder {root}. Name the one that {dataset.title} was unpacked into.")
    return root


def tables(root: Path, patterns: Sequence[str]) -> list[Path]:
    """Return the files in `root` that match, packed or not, in the order of the patterns.

    If a table is present both packed and unpacked, the unpacked one is returned.
    """
    found: dict[str, Path] = {}
    for pattern in patterns:
        for ending in ("", *PACKED_ENDINGS):
            for path in sorted(root.glob(pattern + ending)):
                if path.is_file():
                    found.setdefault(str(path).removesuffix(ending), path)
    return list(found.values())


def needed_tables(root: Path, dataset: KnownDataset, patterns: Sequence[str] | None = None) -> list[Path]:
    """Return the tables of a download, at least one. Raises WrongInput, naming where they might be."""
    wanted = dataset.tables if patterns is None else patterns
    found = tables(checked_root(root, dataset), wanted)
    if not found:
        raise WrongInput(_not_there(root, dataset, wanted))
    return found


def column_places(path: Path, names: Sequence[str], dataset: KnownDataset, columns: Sequence[str]) -> list[int]:
    """Return the indices of columns. Raises WrongInput if one is missing or occurs twice."""
    wrong = [column for column in columns if names.count(column) != 1]
    if wrong:
        shown = ", ".join(map(repr, names[:MAX_NAMED])) + (
            f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
        )
        other = dataset_with_columns(names)
        advice = (
            f"It looks like {other.title}: use ingest {other.name}."
            if other is not None and other != dataset
            else "Use the table as it was published."
        )
        count = names.count(wrong[0]) or "no"
        raise WrongInput(
            f"{path} has {count} {'columns' if count != 'no' else 'column'} {wrong[0]!r}; the table of "
            f"{dataset.title} has one. Its columns are {shown}. {advice}"
        )
    return [names.index(column) for column in columns]


def _not_there(root: Path, dataset: KnownDataset, wanted: Sequence[str]) -> str:
    missing = f"{root} has no {_table_names(wanted)}, the table of {dataset.title}."
    if tables(root.resolve().parent, wanted):
        return f"{missing} It lies one folder up: name {root.resolve().parent}."
    below = next((place for place in _subfolders(root) if tables(place, wanted)), None)
    if below is not None:
        return f"{missing} It lies further down: name {below}."
    contents = sorted(path.name for path in root.iterdir() if not path.name.startswith("."))
    packed = [name for name in contents if name.lower().endswith(ARCHIVES)]
    if packed:
        return f"{missing} There is {comma_list(packed[:MAX_NAMED])}: unpack that first."
    more = f" and {len(contents) - MAX_NAMED:,} more" if len(contents) > MAX_NAMED else ""
    return f"{missing} Name the folder that has it; in this one there is: {comma_list(contents[:MAX_NAMED])}{more}."


def _subfolders(root: Path) -> list[Path]:
    near = [path for path in islice(sorted(root.iterdir()), MAX_FOLDERS) if path.is_dir()]
    far = [path for folder in near for path in islice(sorted(folder.iterdir()), MAX_FOLDERS) if path.is_dir()]
    return near + far[:MAX_FOLDERS]


def _table_names(patterns: Sequence[str]) -> str:
    """Return table names for a sentence; names that need a subfolder are left out if there are others."""
    return " or ".join([pattern for pattern in patterns if "/" not in pattern] or patterns)
