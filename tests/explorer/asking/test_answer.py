"""What an answer says: verdict and why, where its figures are from, cautions; as JSON and CSV too. Without weights."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.asking.answer_json import ask_payload
from explorer.asking.csv_export import answers_csv
from explorer.asking.question import checked_question
from explorer.core.figures import with_hyphens
from models.cards.card import CardPoint, UnusableModel
from models.cards.classifier_card import classifier_card
from models.prompts.templates import TEMPLATES
from tests.explorer.asking.asked import SEEN, asked, asker_of
from tests.explorer.asking.fake import FILMS, WIDTH, FakeVlm, fake_card, film, reading_of, text_vector
from tests.support.wording import Wording


@pytest.fixture
def model(tmp_path: Path) -> FakeVlm:
    return FakeVlm(fake_card(tmp_path))


def test_a_tower_without_a_map_answers_and_says_why_there_is_none(model: FakeVlm, wording: Wording) -> None:
    def explain(*_: object) -> None:
        raise UnusableModel("fake has no feature map", "Choose another model for maps.")

    model.explain = explain  # type: ignore[assignment, method-assign]
    answer = asked(model, "effusion")
    assert answer.verdict == "likely" and answer.heat is None
    wording(answer.no_heat, "fake")


def test_an_effusion_that_is_seen_is_likely_and_counted_on_its_films(model: FakeVlm) -> None:
    answer = asked(model, "left pleural effusion")
    assert answer.verdict == "likely"
    assert re.match(r"\d\d in 100 ", answer.said)
    assert answer.why.startswith("At or above") and "films labeled Pleural Effusion" in answer.why
    assert answer.fitted and "Youden" in answer.threshold_rule and answer.margin > answer.threshold
    assert answer.score > answer.threshold_score
    assert answer.percentile and answer.percentile.n == FILMS and answer.percentile.value > 90
    assert answer.taken_for and answer.taken_for.finding == "Pleural Effusion" and answer.in_captions
    measured = answer.measured
    assert measured and measured.auroc and 0.7 < measured.auroc.low < measured.auroc.value < measured.auroc.high <= 1
    assert measured.n == FILMS and measured.prevalence == measured.positives / FILMS
    assert measured.sensitivity and measured.sensitivity.n == measured.positives
    assert measured.cohort == f"{model.card.training[0].films:,} films of {model.card.training[0].source}, out of fold"
    assert [each.kind for each in answer.warnings] == ["side or size"]


def test_the_other_way_round_it_is_not_flagged_and_says_how_many_it_misses(model: FakeVlm) -> None:
    answer = asked(model, "no pleural effusion", -SEEN)
    assert answer.verdict == "not flagged" and answer.scored == "pleural effusion"
    assert answer.why.startswith("Below") and "films labeled Pleural Effusion" in answer.why
    assert [each.kind for each in answer.warnings] == ["negated"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("mass", "Mass"),  # measured at chance
        ("hernia", "300 validation films"),
        ("scoliosis", "never tested"),
        ("effusion and mass", "one at a time"),
        ("a cat", "does not seem"),
        ("derrame pleural izquierdo", "finding in English"),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_what_cannot_be_judged_is_not(model: FakeVlm, text: str, why: str, sign: int, wording: Wording) -> None:
    answer = asked(model, text, sign * text_vector(text))
    assert answer.verdict == "cannot judge"
    assert why in answer.why
    wording(answer.why.partition(": AUROC")[0])


def test_a_low_score_of_an_untested_text_excludes_nothing(tmp_path: Path, wording: Wording) -> None:
    model = FakeVlm(fake_card(tmp_path, validation=None, captions=()))
    high, low = (
        asked(model, "scoliosis", text_vector("scoliosis")),
        asked(model, "scoliosis", -text_vector("scoliosis")),
    )
    assert high.verdict == "flagged"
    wording(high.said, "not known")
    assert "never tested" in high.why and high.predicted is None
    assert low.verdict == "cannot judge" and "rules nothing out" in low.why
    assert high.threshold == 0 and high.threshold_score == 0.5 and not high.fitted
    assert high.percentile is None and high.measured is None and high.in_captions is None


def test_a_models_own_operating_point_is_taken_where_no_films_are_there(tmp_path: Path, wording: Wording) -> None:
    points = {"Mass": CardPoint(0.2, "chosen elsewhere", 0.8, 0.7, 30, 300)}
    model = FakeVlm(fake_card(tmp_path, validation=None, operating_points=points))
    answer = asked(model, "mass", text_vector("mass"))
    assert (answer.threshold, answer.threshold_rule, answer.fitted) == (0.2, "chosen elsewhere", True)
    assert answer.verdict == "possible"
    wording(with_hyphens(answer.said), "21 in 100", "[17-25]")
    wording(with_hyphens(answer.why), "80 % [63-90]", "30 films", "Mass", "30 % [25-35]", "300", "9.09 %")
    low = asked(model, "mass", -text_vector("mass"))
    assert low.verdict == "not flagged"
    wording(with_hyphens(low.said), "3 in 100", "[1-5]")
    wording(with_hyphens(low.why), "20 % [10-37]", "30 films", "Mass", "70 % [65-75]", "300", "9.09 %")


def test_a_refused_film_is_judged_only_for_those_who_insist(model: FakeVlm, wording: Wording) -> None:
    wording(asked(model, "effusion", refused=True).why)
    assert asked(model, "effusion", refused=True).verdict == "cannot judge"
    assert asked(model, "effusion", refused=True, anyway=True).verdict == "likely"


def test_the_spread_is_over_every_template_and_other_words_of_the_finding(model: FakeVlm) -> None:
    spread = asked(model, "effusion").spread
    own = [each for each in spread.prompts if not each.paraphrase]
    assert [each.positive for each in own] == [each.positive.replace("{}", "effusion") for each in TEMPLATES]
    others = {each.positive for each in spread.prompts if each.paraphrase}
    assert {"pleural effusion", "fluid around the lung"} <= others
    assert (spread.unit, spread.ends) == ("percentile", (0, 100))
    assert all(0 <= each.place <= 100 for each in spread.prompts)


def test_templates_of_ones_own_are_asked(model: FakeVlm) -> None:
    mine = checked_question("effusion", "I see {} | I see no {}")
    answer = asker_of(model).ask(film(), reading_of(SEEN), mine)
    assert [each.positive for each in answer.spread.prompts if not each.paraphrase] == ["I see effusion"]
    assert answer.templates == mine.templates and answer.heat and answer.heat.map.max() == 1


def test_the_classifier_stands_beside(model: FakeVlm) -> None:
    beside = asked(model, "effusion").beside
    assert beside and beside.score == pytest.approx(0.7) and beside.threshold == 0.4
    assert beside.difference is None  # this classifier has no cohort
    assert beside.same_tower
    assert asked(model, "scoliosis").beside is None


def test_what_the_card_has_against_a_finding_is_said(tmp_path: Path, wording: Wording) -> None:
    card = replace(fake_card(tmp_path), warnings={"Mass": "Most films with it are sharp."})
    answer = asked(FakeVlm(card), "mass")
    assert ("known weakness", "Most films with it are sharp.") in [(each.kind, each.words) for each in answer.warnings]
    assert answer.verdict == "cannot judge" and answer.said == ""
    wording(answer.why, "sharp")


def test_what_the_card_of_the_classifier_in_read_has_against_a_finding_is_said_too(
    tmp_path: Path, wording: Wording
) -> None:
    own = replace(fake_card(tmp_path, tower="nih-mini"), warnings={"Mass": "Most films with it are sharp."})
    said = [each.words for each in asked(FakeVlm(own), "mass", np.ones(WIDTH, np.float32)).warnings]
    of_read = classifier_card("nih-mini").cautions
    assert len(said) == 2
    wording(said, "nih-mini", of_read["Mass"])
    pneumonia = [each.words for each in asker_of(FakeVlm(own)).analyze(checked_question("lung infection")).warnings]
    assert len(pneumonia) == 1
    wording(pneumonia, "nih-mini", of_read["Pneumonia"])
    assert not asker_of(FakeVlm(replace(own, tower=None))).analyze(checked_question("lung infection")).warnings


def test_an_answer_is_plain_json(model: FakeVlm) -> None:
    for text in ("effusion", "hernia", "a cat"):
        payload = ask_payload(asked(model, text))
        assert json.loads(json.dumps(payload, allow_nan=False)) == payload
    assert payload["use"] == "Not for medical use" and payload["taken_for"] is None


def test_all_questions_of_a_film_are_one_table(model: FakeVlm) -> None:
    reading = reading_of(SEEN)
    asker = asker_of(model)
    answers = [asker.ask(film(), reading, checked_question(text)) for text in ("effusion", "-1+1 mass", "a cat")]
    lines = list(csv.DictReader(io.StringIO(answers_csv(film(), reading, answers))))
    assert [line["question"] for line in lines] == ["effusion", "'-1+1 mass", "a cat"]
    assert lines[0]["verdict"] == "likely" and float(lines[0]["auroc_95_low"]) > 0.5
    predicted = answers[0].predicted
    assert predicted and float(lines[0]["share_with_finding"]) == pytest.approx(predicted.share, abs=1e-5)
    assert (lines[0]["said"], lines[0]["prevalence_of"]) == (predicted.words, "labeled films")
    assert (lines[0]["scale"], float(lines[0]["place"])) == (
        "percentile",
        pytest.approx(answers[0].spread.answer, abs=1e-3),
    )
    assert [int(line["prompts_against_answer"]) for line in lines] == [each.spread.against for each in answers]
    assert lines[2]["share_with_finding"] == lines[2]["prevalence"] == lines[2]["prevalence_of"] == ""
    assert lines[2]["taken_for"] == "" and lines[2]["auroc"] == ""
    assert {line["use"] for line in lines} == {"Not for medical use"}
    assert {line["film_sha256"] for line in lines} == {film().sha256}
    with pytest.raises(ValueError, match="no questions"):
        answers_csv(film(), reading, [])
