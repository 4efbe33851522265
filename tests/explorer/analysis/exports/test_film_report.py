"""Exports: whole, readable by pandas, harmless in a spreadsheet, silent about the patient."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, replace

import numpy as np
import pandas
import pytest

from explorer.analysis.exports.film_report import FilmReport, film_report, report_csv, report_json
from explorer.core.version import version
from explorer.reading.finding_json import row_payload
from explorer.reading.finding_list import finding_rows, not_looked_for
from explorer.reading.stability import FilmStability
from models.cards import classifier_card as cards
from models.cards.classifier_card import Card
from models.cards.finding_relations import StatedRelation
from models.radiograph import Radiograph, read_radiograph
from tests.support.cards import card_of
from tests.support.film_files import dicom_bytes, dicom_dataset, synthetic_film
from tests.support.wording import Wording, line_with


@dataclass(frozen=True)
class Word:
    """A verdict."""

    readable: bool = True
    reason: str = "Frontal chest film."
    cautions: tuple[str, ...] = ()


def made(card: Card, film: Radiograph, verdict: Word) -> FilmReport:
    rows = finding_rows(card, np.linspace(0.2, 0.8, len(card.findings), dtype=np.float32))
    return film_report(card, "cpu", film, rows, verdict)


@pytest.fixture
def film() -> Radiograph:
    stored = synthetic_film().astype(np.uint16) * 257
    tags = {"ImagerPixelSpacing": [0.139, 0.14], "ViewPosition": "PA", "WindowCenter": None}
    return read_radiograph(dicom_bytes(dicom_dataset(stored, **tags)))


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_csv_has_a_line_for_each_finding_looked_for_or_not(film: Radiograph) -> None:
    card = cards.classifier_card("nih-mini")
    made_record = made(card, film, Word())
    lines = table(report_csv(made_record))
    assert [line["finding"] for line in lines] == [row.finding for row in made_record.rows] + list(not_looked_for(card))
    for line, row in zip(lines, made_record.rows, strict=False):
        assert float(line["score"]) == pytest.approx(row.score, abs=1e-6)
        assert float(line["margin"]) == pytest.approx(row.margin, abs=1e-6)
        assert float(line["sensitivity"]) == pytest.approx(row.sensitivity.value, abs=1e-6)
        assert int(line["sensitivity_n"]) == row.positives
    rest = lines[len(card.findings) :]
    assert {(line["state"], line["score"], line["threshold"]) for line in rest} == {("not looked for", "", "")}


def test_the_csv_says_how_often_maps_find_their_finding(film: Radiograph) -> None:
    lines = {line["finding"]: line for line in table(report_csv(made(cards.classifier_card("phantom"), film, Word())))}
    maps = cards.classifier_card("phantom").maps
    assert maps is not None
    worth = maps.findings["Mass"]
    line = lines["Mass"]
    assert float(line["map_found"]) == pytest.approx(worth.found / worth.of, abs=1e-6)
    assert float(line["map_usual_place"]) == pytest.approx(worth.usual / worth.of, abs=1e-6)
    assert int(line["map_found_n"]) == worth.of
    assert float(line["map_found_95_low"]) < float(line["map_found"]) < float(line["map_found_95_high"])
    assert line["map_measured"] == maps.measured
    assert lines["Kyphosis"]["map_found"] == "", "it bends the whole chest: nobody measured its maps"


def test_stability_is_in_both_files_only_if_it_was_asked_for(film: Radiograph) -> None:
    card = cards.classifier_card("nih-mini")
    plain = made(card, film, Word())
    assert not any("stab" in name or "small" in name for name in table(report_csv(plain))[0])
    assert json.loads(report_json(plain))["stability"] is None
    scores = np.linspace(0, 1, 24, dtype=np.float32)[:, None].repeat(len(card.findings), axis=1)
    stability = FilmStability(("change",) * 24, card.findings, scores, 0.0, 0.0, 0.0)
    asked = replace(plain, stability=stability)
    lines = {line["finding"]: line for line in table(report_csv(asked))}
    answer = json.loads(report_json(asked))["stability"]
    assert len(answer["changes"]) == 24 and len(answer["findings"]) == len(card.findings)
    for each, row in zip(answer["findings"], asked.rows, strict=True):
        line = lines[row.finding]
        assert float(line["stability_from"]) == pytest.approx(2 / 23, abs=1e-6) == each["low"]
        assert float(line["stability_to"]) == pytest.approx(21 / 23, abs=1e-6) == each["high"]
        assert line["small_changes"] == "24"
        judged = row.state != "cannot judge" and row.threshold is not None
        above = sum(place / 23 >= row.threshold for place in range(24)) if judged else None
        assert each["above"] == above and line["small_changes_above"] == ("" if above is None else str(above))
        assert line["call_stable"] == {None: "", True: "true", False: "false"}[each["stable"]]
    assert {line["stability_from"] for name, line in lines.items() if name in not_looked_for(card)} == {""}


def test_what_a_finding_is_to_others_is_in_both_files(film: Radiograph, wording: Wording) -> None:
    stated = (StatedRelation("Lung Cavity", "narrower than", "Lung Lesion"),)
    made_record = made(card_of(("Lung Cavity", "Lung Opacity", "Mass"), {}, relations=stated), film, Word())
    told = {row.finding: row.relation_words for row in made_record.rows}
    wording(line_with(told["Lung Cavity"], "Lung Lesion"))
    assert "broader than " in told["Lung Opacity"] and told["Mass"] == ""
    lines = {line["finding"]: line["relations"] for line in table(report_csv(made_record))}
    assert {finding: lines[finding] for finding in told} == told and lines["Hernia"] == ""
    findings = {each["finding"]: each["relations"] for each in json.loads(report_json(made_record))["findings"]}
    assert {finding: "; ".join(words) for finding, words in findings.items()} == told


def test_every_line_says_what_it_was_made_with(film: Radiograph) -> None:
    for line in table(report_csv(made(cards.classifier_card("nih-mini"), film, Word()))):
        assert line["gate"] == "can be read"
        assert line["use"] == "Not for medical use"
        assert (line["film_stored_height_px"], line["film_stored_width_px"], line["film_view"]) == ("96", "80", "PA")
        assert (line["film_row_spacing_mm"], line["film_column_spacing_mm"]) == ("0.139", "0.14")
        assert (line["film_spacing_at"], line["film_sides"]) == ("detector", "assumed")
        assert line["film_notes"] == "; ".join(film.notes) != ""
        assert (line["film_sha256"], line["model"]) == (film.sha256, "nih-mini")
        assert line["model_sha256_start"] == cards.classifier_card("nih-mini").sha256[:12]
        assert line["tailscope_version"] == version()
        assert line["made_utc"].endswith("Z")


def test_pandas_reads_numbers_as_numbers(film: Radiograph) -> None:
    frame = pandas.read_csv(io.StringIO(report_csv(made(cards.classifier_card("nih-mini"), film, Word()))))
    for column in ("score", "threshold", "margin", "sensitivity_95_low", "specificity", "cohort_percentile"):
        assert frame[column].dtype == float, column
        assert frame[column].notna().sum() == 15, column


def test_json_says_the_same(film: Radiograph) -> None:
    card = cards.classifier_card("nih-mini")
    made_record = made(card, film, Word())
    answer = json.loads(report_json(made_record))
    assert answer["findings"] == [json.loads(json.dumps(row_payload(row))) for row in made_record.rows]
    assert answer["not_looked_for"] == list(not_looked_for(card))
    assert answer["gate"] == {
        "readable": True,
        "reason": "Frontal chest film.",
        "cautions": [],
        "read_anyway": False,
    }
    assert answer["film"]["stored_size_px"] == [96, 80]
    assert answer["film"]["sides"] == "assumed"
    assert answer["film"]["spacing_mm"] == [0.139, 0.14]
    assert answer["model"]["device"] == "cpu"
    assert answer["use"] == "Not for medical use"


def test_a_film_read_anyway_says_so_everywhere(film: Radiograph) -> None:
    word = Word(False, "This is no chest film.")
    refused = made(cards.classifier_card("nih-mini"), film, word)
    for line in table(report_csv(refused)):
        assert (line["gate"], line["gate_reason"]) == ("refused, read anyway", word.reason)
    assert json.loads(report_json(refused))["gate"]["read_anyway"] is True


@pytest.mark.parametrize("start", ["=", "+", "-", "@", " =", "\t=", "\r="])
def test_no_text_starts_a_formula(film: Radiograph, start: str) -> None:
    attack = start + 'HYPERLINK("http://example.org")'
    card = card_of(("Mass", attack), {"Mass": 0.5}, title=attack, name=attack, warnings={"Mass": attack})
    noted = replace(film, notes=(attack, "twice"))
    lines = table(report_csv(made(card, noted, Word(False, attack))))
    cells = [cell for line in lines for cell in line.values()]
    dangerous = [cell for cell in cells if cell.lstrip()[:1] in ("=", "+", "-", "@") and cell]
    assert all(float(cell) < 0 for cell in dangerous), "only a negative number may start with a sign"
    assert sum(attack.strip() in cell for cell in cells) == 2 + 4 * len(lines), "quoted, not lost"


def test_the_patient_is_not_in_it(film: Radiograph) -> None:
    for text in (
        report_csv(made(cards.classifier_card("nih-mini"), film, Word())),
        report_json(made(cards.classifier_card("nih-mini"), film, Word())),
    ):
        assert "Roentgen" not in text
        assert "HAND-1895" not in text
