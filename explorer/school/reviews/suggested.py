"""Suggested labels for a review's films: of a label source, of a model above its thresholds, or of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from explorer.core.word_lists import and_list, quantity
from explorer.school.reviews.review import MAX_FILMS, ReviewFilm, ReviewRefusal
from explorer.school.reviews.suggested_file import SuggestedLabels, suggested_labels
from explorer.school.reviews.suggested_json import suggested_json

if TYPE_CHECKING:
    from explorer.store.store import Store

Suggested = Mapping[str, SuggestedLabels]  # by case; cases without an entry have no suggestion


def suggested_by_labels(
    store: Store, cohort: str, source: str | None, cases: Sequence[str], findings: Sequence[str]
) -> dict[str, SuggestedLabels]:
    """Return the findings labeled present, by case; `source` None: the labels that count by default.

    Films without any label are left out. Raises ReviewRefusal if the source has no label of these films.
    """
    known = store.labels(cohort, source)
    places = {name: place for place, name in enumerate(known.findings)}
    numbers = {case: number for number, case in enumerate(store.patients(cohort))}
    found = {}
    for case in cases:
        labels = known.labels[numbers[case]]
        if (labels >= 0).any():
            present = tuple(name for name in findings if name in places and labels[places[name]] == 1)
            found[case] = SuggestedLabels(present)
    if not found:
        sources = f"The source {source!r} labels" if source else f"The labels of {cohort} cover"
        raise ReviewRefusal("No labels can be suggested", f"{sources} none of these films. Choose another source.")
    return found


def suggested_by_model(
    store: Store, cohort: str, model: str, cases: Sequence[str], findings: Sequence[str]
) -> dict[str, SuggestedLabels]:
    """Return the findings that a model calls present, by case; films without a score are left out.

    Raises ReviewRefusal for findings without a threshold, which would look absent everywhere.
    """
    numbers = {case: number for number, case in enumerate(store.patients(cohort))}
    bits = store.call_bits(cohort, model).of(np.array([numbers[case] for case in cases], np.intp))
    named = [name for name in findings if name in bits.findings]
    calls = bits.calls(named)
    scored = bits.scored_any(named) if named else np.zeros(len(cases), bool)
    without = [name for name, row in zip(named, calls, strict=True) if (row[scored] < 0).any()]
    if without or not named:
        lacking = and_list(without) or "these findings"
        raise ReviewRefusal(
            f"{model} cannot suggest labels",
            f"It has no threshold for {lacking}. Choose thresholds first, or name other findings with --finding.",
        )
    return {
        case: SuggestedLabels(tuple(name for name, row in zip(named, calls, strict=True) if row[place] == 1))
        for place, case in enumerate(cases)
        if scored[place]
    }


def suggested_by_file(path: Path, cases: Sequence[str], findings: Sequence[str]) -> dict[str, SuggestedLabels]:
    """Return the labels of a CSV or JSON file by case, ordered as `findings`. Raises WrongInput and FailedChecks."""
    if path.suffix.lower() == ".json":
        return {case: _ordered(labels, findings) for case, labels in suggested_json(path, cases, findings).items()}
    return {
        case: _ordered(SuggestedLabels(named), findings)
        for case, named in suggested_labels(path, cases, findings).items()
    }


def _ordered(labels: SuggestedLabels, findings: Sequence[str]) -> SuggestedLabels:
    every = (labels.present, labels.uncertain, labels.absent)
    return SuggestedLabels(*(tuple(name for name in findings if name in named) for named in every))


def unnamed_note(suggested: Suggested, films: Sequence[ReviewFilm], findings: Sequence[str]) -> tuple[str, ...]:
    """Return a note on the labels that a file leaves out, if it names absent or uncertain findings at all."""
    if not any(labels.absent or labels.uncertain for labels in suggested.values()):
        return ()
    found = [suggested[film.case] for film in films if film.case in suggested]
    lacking = [len(findings) - len(each.present) - len(each.uncertain) - len(each.absent) for each in found]
    if not sum(lacking):
        return ()
    return (
        f"The file does not name {quantity(sum(lacking), 'label')} of {quantity(sum(map(bool, lacking)), 'film')}: "
        "nothing is suggested there.",
    )


def with_suggestions(films: Sequence[ReviewFilm], suggested: Suggested) -> tuple[ReviewFilm, ...]:
    """Return the films with their suggestions. Raises ReviewRefusal if some have none, which are counted."""
    lacking = [film.case for film in films if film.case not in suggested]
    if lacking:
        shown = and_list([repr(case) for case in lacking[:3]])
        raise ReviewRefusal(
            f"{quantity(len(lacking), 'film has', 'films have')} no suggested labels",
            f"Such as {shown}. Leave them out, or suggest nothing with --suggest none.",
        )
    return tuple(
        replace(film, suggested=suggested[film.case].present, uncertain=suggested[film.case].uncertain)
        for film in films
    )


def strata_in(text: str) -> tuple[int, ...]:
    """Return numbers of films such as "300, 300, 319", empty for an empty text. Raises ReviewRefusal."""
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    digits = len(str(MAX_FILMS))  # Python refuses to read thousands of them
    if not all(part.isascii() and part.isdigit() and len(part) <= digits and int(part) <= MAX_FILMS for part in parts):
        raise ReviewRefusal(
            "Films cannot be drawn by strata",
            f"Write numbers of films, such as 300,300,319,76,4,1, each at most {MAX_FILMS:,}.",
        )
    return tuple(map(int, parts))


def stratified(
    films: Sequence[ReviewFilm], wanted: Sequence[int], seed: int
) -> tuple[tuple[ReviewFilm, ...], tuple[str, ...]]:
    """Return `wanted[k]` random films with k + 1 suggested findings, for each k, and notes on strata with too few.

    Source: REVEAL-CXR (Wei et al., arXiv 2601.15129, section 2.1): 300, 300, 319, 76, 4 and 1 of 1,000 films.
    """
    random = np.random.default_rng([seed, len(films)])
    chosen: list[ReviewFilm] = []
    notes = []
    for place, want in enumerate(wanted):
        among = [film for film in films if len(film.suggested or ()) == place + 1]
        if len(among) < want:
            there = quantity(len(among), "film has", "films have")
            notes.append(f"{there} {quantity(place + 1, 'suggested finding')}, fewer than the {want:,} asked for.")
        picked = random.permutation(len(among))[:want]
        chosen += [among[int(each)] for each in sorted(picked)]
    return tuple(chosen), tuple(notes)
