"""Uncertain labels in Labels against labels: mean AUROC whichever way they fall, and which models keep the order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from explorer.analysis.comparisons.label_ranges import LabelRanges
from explorer.core.figures import share_text, signed
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity


class RangesGridPayload(TypedDict):
    """A table of texts."""

    title: str
    header: list[str]
    rows: list[list[str]]


class LabelRangesPayload(TypedDict):
    """Whether the order hangs on uncertain labels, in a sentence, and the ranges and pairs as tables."""

    sentence: str
    grids: list[RangesGridPayload]


def ranges_payload(found: LabelRanges) -> LabelRangesPayload:
    """Return the ranges as JSON."""
    return {
        "sentence": ranges_sentence(found),
        "grids": [
            {"title": grid.title, "header": list(grid.header), "rows": [list(row) for row in grid.rows]}
            for grid in range_grids(found)
        ],
    }


def ranges_sentence(found: LabelRanges) -> str:
    """Return whether the models have the same order whichever way uncertain labels fall."""
    labels, findings = quantity(found.uncertain, "uncertain label"), quantity(len(found.findings), "finding")
    falls = "falls" if found.uncertain == 1 else "fall"
    about = f"Every way in which {labels} of {findings} may fall is tried, exactly, for mean AUROC on these films."
    if not found.pairs:
        return about
    if found.same_order:
        order = [found.pairs[0].ahead, *dict.fromkeys(pair.behind for pair in found.pairs)]
        first = f"Whichever way {labels} {falls}, the order of the models is the same: {', '.join(order)}."
        return f"{first} {about}"
    kept = sum(pair.keeps for pair in found.pairs)
    pairs, keep = quantity(len(found.pairs), "pair"), "keeps" if len(found.pairs) == 1 else "keep"
    return f"The order of the models depends on how {labels} {falls}: {kept} of {pairs} {keep} it. {about}"


def range_grids(found: LabelRanges) -> Iterator[TextGrid]:
    """Yield the range of each model, and the range of each pair's difference."""
    rows = tuple(
        (name, share_text(low, 3), share_text(high, 3))
        for name, low, high in zip(found.models, found.low, found.high, strict=True)
    )
    yield TextGrid("mean AUROC, whichever way uncertain labels fall", ("model", "lowest", "highest"), rows)
    if found.pairs:
        pairs = tuple(
            (each.ahead, each.behind, signed(each.low), signed(each.high), "yes" if each.keeps else "no")
            for each in found.pairs
        )
        header = ("model", "less", "lowest difference", "highest", "ahead whichever way")
        yield TextGrid("difference of two models, whichever way uncertain labels fall", header, pairs)


def range_rows(found: LabelRanges) -> Iterator[tuple[str, str, float]]:
    """Yield model, metric and value of each end of each range."""
    figures = [*zip(found.models, ["mean AUROC"] * len(found.models), found.low, found.high, strict=True)]
    figures += [(pair.ahead, f"mean AUROC minus {pair.behind}", pair.low, pair.high) for pair in found.pairs]
    for name, metric, low, high in figures:
        for end, value in (("lowest", low), ("highest", high)):
            yield name, f"{metric}, {end} whichever way uncertain labels fall", value
