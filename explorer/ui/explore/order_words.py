"""The films of a page, and the sentences about their order: the slice, the text, and how well it ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

from explorer.analysis.cases.marked_sentence import marked_sentence, origin_clause
from explorer.analysis.cases.text_worth import TextPerformance, text_performance
from explorer.cohorts.counted import Counted, cases_text
from explorer.cohorts.unlisted import public_name
from explorer.core.figures import estimate_text, score_text, share_text
from explorer.core.word_lists import quantity
from explorer.store.slices import Slice, films_sentence
from explorer.ui.explore.film_order import FilmOrder, RankedByText, film_order
from explorer.ui.explore.film_tiles import TilePayload, tile_payload
from explorer.ui.shared.film_line import HiddenFilmPayload, hidden_film_payload
from explorer.ui.shared.links import LinkState
from explorer.ui.shared.services import Services

if TYPE_CHECKING:
    from explorer.asking.question_analysis import AnalyzedQuestion
    from explorer.store.store import Ranked, Store


class AskedOrderPayload(TypedDict):
    """Sentences about a text that ranks films: warnings, the matched finding, and how well it ranks."""

    stage: Literal["asked"]
    cautions: list[str]
    lines: list[str]


def film_items(
    services: Services, order: FilmOrder, number: int, ranked: Sequence[Ranked], *, hidden: bool
) -> Sequence[TilePayload | HiddenFilmPayload]:
    """The films of a page, for the script."""
    chosen, images = order.slice, services.images
    if hidden:
        return [hidden_film_payload(images, chosen.cohort, film) for film in ranked]
    unit = services.store.model(chosen.cohort, chosen.model).unit
    similarities = order.similarities(number) if isinstance(order, RankedByText) else [None] * len(ranked)
    marks = services.store.marks(chosen.cohort)
    return [
        tile_payload(images, chosen.cohort, film, unit, similarity, starred=marks.of(film.case).starred)
        for film, similarity in zip(ranked, similarities, strict=True)
    ]


def order_sentence(store: Store, order: FilmOrder, *, hidden: bool) -> str:
    """The sentence on what is shown, with counts."""
    chosen = order.slice
    counted = store.counted(chosen.cohort)
    films = cases_text(order.films, counted)
    if hidden:
        return f"{films} of {public_name(chosen.cohort)}, shuffled. Labels and scores are hidden."
    if isinstance(order, RankedByText):
        return f"{_ranked(store, order)}: {films}{_left_out_words(order, counted)}"
    return f"{marked_sentence(store, chosen)}: {quantity(order.count.pairs, f'({counted}, finding) pair')}, {films}"


def worth_payload(services: Services, chosen: Slice, state: LinkState) -> AskedOrderPayload:
    """Warnings about the text, the matched finding, and how well it ranks this cohort's films."""
    order = film_order(services, chosen, state)
    if not isinstance(order, RankedByText):
        return {"stage": "asked", "cautions": [], "lines": []}
    analysis = order.ranking.analysis
    lines = list(_worth_lines(analysis, text_performance(services.store, chosen, order.ranking)))
    return {"stage": "asked", "cautions": [each.words for each in analysis.warnings], "lines": lines}


def _ranked(store: Store, order: RankedByText) -> str:
    chosen, made = order.slice, order.ranking.model
    sentence = films_sentence(chosen, store.model(chosen.cohort, chosen.model).unit, store.counted(chosen.cohort))
    marked = origin_clause(made, chosen.center)
    return f"{sentence}, ranked by \u201c{order.text}\u201d ({made.model}{marked}), most similar first"


def _left_out_words(order: RankedByText, counted: Counted) -> str:
    count = order.ranking.left_out
    return f"; {cases_text(count, counted)} without an embedding left out" if count else ""


def _worth_lines(analysis: AnalyzedQuestion, found: TextPerformance | None) -> Iterator[str]:
    if found is None or (analysis.taken_for is None and not found.own):
        near = ", ".join(f"{each.finding} {score_text(each.similarity)}" for each in analysis.nearest)
        yield f"Not close to any known finding ({near}): how well it ranks cannot be measured."
        return
    if analysis.taken_for is None or found.own:
        yield f"{found.finding} is a finding of this cohort; the model has no score under that name."
    else:
        captions = "" if analysis.in_captions is not False else ", which is not in this model's training captions"
        yield f"Matched finding: {found.finding} {score_text(analysis.taken_for.similarity)}{captions}."
    if found.auroc is None or found.average_precision is None:
        yield f"{found.films}: {_one_class(found)}, so how well it ranks cannot be measured."
        return
    yield (
        f"{found.films}, against labels of {found.finding}: AUROC {estimate_text(found.auroc, digits=2)}, AP "
        f"{estimate_text(found.average_precision, digits=2)} (chance {share_text(found.positives / found.n)}), "
        f"n {found.n:,}, n+ {found.positives:,}."
    )


def _one_class(found: TextPerformance) -> str:
    if not found.n:
        return f"no labels of {found.finding}"
    return f"no {'negatives' if found.positives else 'positives'} of {found.finding} (n {found.n:,})"
