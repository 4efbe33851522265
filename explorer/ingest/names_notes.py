"""What an import says of names: those that it took as findings of their own, and those that it left out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from explorer.core.csv_table import Cells, csv_text
from explorer.core.finding_names import did_you_mean
from explorer.core.finding_words import finding_of
from explorer.ingest.entries import ImportSource

FIRST = 8  # names that are printed
UNUSED = "unused-words.csv"  # beside the rejects


def names_notes(source: ImportSource) -> Iterator[str]:
    """Lines of a report: nothing is taken, and nothing left out, in silence."""
    own = [name for name in source.findings if finding_of(name) is None]
    if own:
        named = ", ".join(f"{name!r}{_offer(name)}" for name in own[:FIRST])
        yield f"taken as findings of their own, which no taxonomy has: {named}{_more(len(own))}"
    if source.words:
        often = source.words.most_common(FIRST)
        named = ", ".join(f"{word!r}{f' ({count:,})' if count > 1 else ''}{_offer(word)}" for word, count in often)
        many = f"{len(source.words):,} " if len(source.words) > FIRST else ""
        where = f"; all of them, and how often, in {UNUSED}" if many else ""
        yield f"{many}names that are not findings, not used: {named}{_more(len(source.words))}{where}"
    if source.like_labels:
        columns = ", ".join(map(_quoted, source.like_labels[:FIRST]))
        yield (
            f"of these, {_columns(source.like_labels)} 1, 0, -1 or blanks only, as labels do. What is a finding of its "
            f"own goes into map.toml: findings = [{columns}]"
        )


def write_unused(path: Path, source: ImportSource) -> None:
    """The names that are not used as they are, the most frequent first, where the report has not room for all."""
    if len(source.words) > FIRST:
        lines: list[Cells] = [{"name": word, "rows": count} for word, count in source.words.most_common()]
        path.write_text(csv_text(("name", "rows"), lines), encoding="utf-8", newline="")


def _columns(names: tuple[str, ...]) -> str:
    return f"the column {names[0]!r} has" if len(names) == 1 else f"{len(names):,} columns have"


def _offer(word: str) -> str:
    offered = did_you_mean(word)
    return f" ({offered.strip()})" if offered else ""


def _more(count: int) -> str:
    return f" and {count - FIRST:,} more" if count > FIRST else ""


def _quoted(name: str) -> str:
    """As TOML writes a text."""
    return json.dumps(name, ensure_ascii=False)
