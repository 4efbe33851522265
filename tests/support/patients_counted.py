"""Outcomes summed over patients as `Store.patient_counts` does it, pair by pair."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product

from explorer.core.outcomes import OUTCOMES, PRESENT_OUTCOMES
from explorer.store.queries.patient_counts import PatientCounts
from tests.support.brute_force import Pair


def assert_counted(found: dict[str, PatientCounts], pairs: list[Pair]) -> None:
    """Every sum is that of the pairs with an outcome."""
    known = [pair for pair in pairs if pair.outcome is not None]
    centers = tuple(sorted({str(pair.film["center"]) for pair in known}))
    assert set(found) == {pair.finding for pair in known}
    for finding, counts in found.items():
        assert counts.centers == centers
        patients: dict[object, Counter[tuple[int, int]]] = defaultdict(Counter)
        for pair in known:
            if pair.finding == finding:
                assert pair.outcome is not None
                place = centers.index(str(pair.film["center"])), OUTCOMES.index(pair.outcome)
                patients[pair.film["patient"] or ("film", pair.case)][place] += 1
        cells = list(product(range(len(centers)), range(len(OUTCOMES))))
        for one in cells:
            assert counts.films[one] == sum(each[one] for each in patients.values())
            for other in cells:
                assert counts.products[(*one, *other)] == sum(each[one] * each[other] for each in patients.values())
        for label in (0, 1):
            those = [place for place, each in enumerate(OUTCOMES) if (each in PRESENT_OUTCOMES) == (label == 0)]
            for center in range(len(centers)):
                here = sum(any(each[center, place] for place in those) for each in patients.values())
                assert counts.patients[center, label] == here
            anywhere = sum(any(each[at, place] for at, place in cells if place in those) for each in patients.values())
            assert counts.patients[-1, label] == anywhere
