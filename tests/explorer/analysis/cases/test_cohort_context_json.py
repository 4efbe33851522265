"""How often a model was wrong in a cohort, as `/read` and the exports tell it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass

import numpy as np
import pytest

from explorer.analysis.cases.cohort_context import CohortContext, cohort_context
from explorer.analysis.cases.cohort_context_json import cohort_payload
from explorer.analysis.exports.film_report import FilmReport, film_report, report_csv, report_json
from explorer.reading.finding_list import finding_rows, not_looked_for
from models.cards.classifier_card import classifier_card
from models.radiograph import Radiograph
from tests.support.lasting_store import loaded_store

MODEL = classifier_card("nih-mini")
ROWS = finding_rows(MODEL, np.linspace(0.2, 0.8, len(MODEL.findings), dtype=np.float32))


@dataclass(frozen=True)
class Readable:
    """The verdict on a film that can be read."""

    readable: bool = True
    reason: str = "Frontal chest film."
    cautions: tuple[str, ...] = ()


@pytest.fixture(scope="module")
def joined() -> CohortContext:
    store = loaded_store()
    features = store.features("nih-oof", MODEL.name).vectors[7]
    return cohort_context(store, MODEL, ROWS, features)


def exported(joined: CohortContext | None) -> FilmReport:
    film = Radiograph.from_pixels(np.zeros((8, 8), np.float32))
    return film_report(MODEL, "cpu", film, ROWS, Readable(), joined)


def test_every_rate_has_its_counts_and_interval_and_the_cohort_is_named(joined: CohortContext) -> None:
    told = cohort_payload(joined)
    assert (told["name"], told["version"], told["origins"]) == ("nih-oof", joined.cohort.version, {"NIH": "internal"})
    (mass,) = (each for each in told["findings"] if each["finding"] == "Mass")
    assert (mass["missed"]["hits"], mass["missed"]["n"]) == (6, 47)
    assert (mass["called"]["hits"], mass["called"]["n"]) == (991, 1603)
    assert mass["labeled"]["n"] == 1650 and mass["labeled"]["hits"] == 47
    for rate in (mass["missed"], mass["called"], mass["as_low"]):
        assert rate["value"] == rate["hits"] / rate["n"]
        assert rate["low"] < rate["value"] < rate["high"]


def test_the_csv_has_the_rates_of_each_finding(joined: CohortContext) -> None:
    lines = list(csv.DictReader(io.StringIO(report_csv(exported(joined)), newline="")))
    looked_for, rest = lines[: len(ROWS)], lines[len(ROWS) :]
    for line in looked_for:
        wrong = joined.findings[line["finding"]].overall
        assert line["compared_with"] == "nih-oof"
        for name, rate in (("missed_there", wrong.missed), ("falsely_called_there", wrong.called)):
            low, high = rate.interval
            expected = (rate.value, low, high, rate.n)
            found = [float(line[name + end]) for end in ("", "_95_low", "_95_high", "_n")]
            assert found == pytest.approx(expected, abs=1e-6)
    assert len(rest) == len(not_looked_for(MODEL))
    assert {line["missed_there"] for line in rest} == {""}


def test_the_json_has_what_read_answers(joined: CohortContext) -> None:
    assert json.loads(report_json(exported(joined)))["cohort"] == cohort_payload(joined)


def test_without_a_cohort_nothing_is_made_up() -> None:
    assert json.loads(report_json(exported(None)))["cohort"] is None
    lines = list(csv.DictReader(io.StringIO(report_csv(exported(None)), newline="")))
    assert {line[column] for line in lines for column in ("compared_with", "missed_there", "missed_there_n")} == {""}
