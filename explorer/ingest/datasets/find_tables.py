"""Where the tables of a download lie, and what to do where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from explorer.core.word_lists import listed
from explorer.ingest.datasets.catalog import KnownDataset, of_columns
from explorer.ingest.datasets.table_rows import PACKED
from explorer.ingest.found_below import ARCHIVES, SHOWN
from explorer.tabular.problems import WrongInput

FOLDERS = 200  # looked into, one and two steps down


def checked_root(root: Path, dataset: KnownDataset) -> Path:
    """The folder of a download. Raises WrongInput where it is not one."""
    if root.is_file():
        raise WrongInput(f"{root} is a file. Unpack it, and name the folder that has {_wanted(dataset.tables)}.")
    if not root.is_dir():
        raise WrongInput(f"There is no folder {root}. Name the one that {dataset.title} was unpacked into.")
    return root


def tables(root: Path, patterns: Sequence[str]) -> list[Path]:
    """The files below `root` that are called so, packed or not, in the order of the patterns; of a table that is there
    twice, the one that is not packed.
    """
    found: dict[str, Path] = {}
    for pattern in patterns:
        for ending in ("", *PACKED):
            for path in sorted(root.glob(pattern + ending)):
                if path.is_file():
                    found.setdefault(str(path).removesuffix(ending), path)
    return list(found.values())


def needed_tables(root: Path, dataset: KnownDataset, patterns: Sequence[str] | None = None) -> list[Path]:
    """The tables of a download, at least one. Raises WrongInput with where they may be instead."""
    wanted = dataset.tables if patterns is None else patterns
    found = tables(checked_root(root, dataset), wanted)
    if not found:
        raise WrongInput(_not_there(root, dataset, wanted))
    return found


def places(path: Path, names: Sequence[str], dataset: KnownDataset, columns: Sequence[str]) -> list[int]:
    """Where the columns of a table are. Raises WrongInput where one is not, or is there twice."""
    strange = [column for column in columns if names.count(column) != 1]
    if strange:
        shown = ", ".join(map(repr, names[:SHOWN])) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
        other = of_columns(names)
        advice = (
            f"It looks like {other.title}: use ingest {other.name}."
            if other is not None and other != dataset
            else "Take the table as it is published."
        )
        count = names.count(strange[0]) or "no"
        raise WrongInput(
            f"{path} has {count} {'columns' if count != 'no' else 'column'} {strange[0]!r}; the table of "
            f"{dataset.title} has one. Its columns are {shown}. {advice}"
        )
    return [names.index(column) for column in columns]


def _not_there(root: Path, dataset: KnownDataset, wanted: Sequence[str]) -> str:
    missing = f"{root} has no {_wanted(wanted)}, the table of {dataset.title}."
    if tables(root.resolve().parent, wanted):
        return f"{missing} It lies one folder up: name {root.resolve().parent}."
    below = next((place for place in _below(root) if tables(place, wanted)), None)
    if below is not None:
        return f"{missing} It lies further down: name {below}."
    there = sorted(path.name for path in root.iterdir() if not path.name.startswith("."))
    packed = [name for name in there if name.lower().endswith(ARCHIVES)]
    if packed:
        return f"{missing} There is {listed(packed[:SHOWN])}: unpack that first."
    more = f" and {len(there) - SHOWN:,} more" if len(there) > SHOWN else ""
    return f"{missing} Name the folder that has it; in this one there is: {listed(there[:SHOWN])}{more}."


def _below(root: Path) -> list[Path]:
    near = [path for path in islice(sorted(root.iterdir()), FOLDERS) if path.is_dir()]
    far = [path for folder in near for path in islice(sorted(folder.iterdir()), FOLDERS) if path.is_dir()]
    return near + far[:FOLDERS]


def _wanted(patterns: Sequence[str]) -> str:
    """Names of tables in a sentence; that some may lie in a folder of their own goes without saying."""
    return " or ".join([pattern for pattern in patterns if "/" not in pattern] or patterns)
