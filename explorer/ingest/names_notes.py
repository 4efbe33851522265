"""Reports names that an import used as new findings, and names that it did not use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from explorer.core.csv_table import Cells, csv_text
from explorer.core.finding_names import did_you_mean
from explorer.core.finding_words import finding_of
from explorer.ingest.entries import ImportSource

MAX_NAMED = 8  # names that the report lists
UNUSED_WORDS_FILE = "unused-words.csv"  # beside the rejects


def names_notes(source: ImportSource) -> Iterator[str]:
    """Yield the report's lines on every new and every unused name."""
    own = [name for name in source.findings if finding_of(name) is None]
    if own:
        named = ", ".join(f"{name!r}{_offer(name)}" for name in own[:MAX_NAMED])
        yield f"used as new findings, which no taxonomy has: {named}{_more(len(own))}"
    if source.words:
        often = source.words.most_common(MAX_NAMED)
        named = ", ".join(f"{word!r}{f' ({count:,})' if count > 1 else ''}{_offer(word)}" for word, count in often)
        many = f"{len(source.words):,} " if len(source.words) > MAX_NAMED else ""
        where = f"; all of them, and how often, in {UNUSED_WORDS_FILE}" if many else ""
        yield f"{many}names that are not findings, not used: {named}{_more(len(source.words))}{where}"
    if source.like_labels:
        columns = ", ".join(map(_quoted, source.like_labels[:MAX_NAMED]))
        yield (
            f"of these, {_columns(source.like_labels)} 1, 0, -1 or blanks only, as labels do. To use one as a finding, "
            f"list it in map.toml: findings = [{columns}]"
        )


def write_unused(path: Path, source: ImportSource) -> None:
    """Write the unused names with their counts, most frequent first, if the report cannot list them all."""
    if len(source.words) > MAX_NAMED:
        lines: list[Cells] = [{"name": word, "rows": count} for word, count in source.words.most_common()]
        path.write_text(csv_text(("name", "rows"), lines), encoding="utf-8", newline="")


def _columns(names: tuple[str, ...]) -> str:
    return f"the column {names[0]!r} has" if len(names) == 1 else f"{len(names):,} columns have"


def _offer(word: str) -> str:
    offered = did_you_mean(word)
    return f" ({offered.strip()})" if offered else ""


def _more(count: int) -> str:
    return f" and {count - MAX_NAMED:,} more" if count > MAX_NAMED else ""


def _quoted(name: str) -> str:
    """Quote a name as TOML does."""
    return json.dumps(name, ensure_ascii=False)
