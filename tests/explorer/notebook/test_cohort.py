"""A cohort in a notebook: its frames against the store and the page's own answers, words, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import logit

from explorer import Cohort
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.store.slices import Slice
from models.refusal import Refusal
from tests.support.lasting_store import loaded_store
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import MODEL, NAME, Film, write_small
from tests.support.wording import Wording

ROOT = Path(__file__).parents[3]
NAMED = "Doe, Jane <b>"
FILMS = [
    Film("a", {"Mass": "present"}, {"Mass": 0.1, "Hernia": 0.7}, patient=NAMED, center="North", age=47, sex="F"),
    Film("b", {"Mass": "absent"}, {"Mass": 0.9, "Hernia": 0.2}, patient=NAMED, center="South", view="AP"),
    Film("c", {"Mass": "uncertain"}, {"Mass": 0.8, "Hernia": 0.2}, center="South", view="AP"),
    Film("<d>", {"Mass": "present", "Hernia": "absent"}, {"Mass": 0.4, "Hernia": 0.3}, patient=NAMED, center="South"),
]


@pytest.fixture(scope="module")
def phantom() -> Cohort:
    return Cohort("phantom")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Cohort:
    home = tmp_path_factory.mktemp("home")
    write_small(home / "cohorts", FILMS, {"Mass": 0.5}, simulated=False)
    return Cohort(NAME, home=home)


def test_the_package_stays_light_until_a_cohort_is_asked_for() -> None:
    code = "import sys, explorer; print({'pandas', 'duckdb', 'numpy'} & set(sys.modules)); from explorer import Cohort"
    code += "; print(Cohort.__module__, {'torch', 'gradio', 'duckdb'} & set(sys.modules)); explorer.Cohorts"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.splitlines() == ["set()", "explorer.notebook.cohort set()"]
    assert "has no attribute 'Cohorts'" in done.stderr


def test_pairs_have_what_the_store_says_and_unknown_is_missing(small: Cohort) -> None:
    pairs = small.predictions().set_index(["case", "finding"]).sort_index()
    assert len(pairs) == 8
    mass = pairs.xs("Mass", level="finding")
    assert mass["outcome"].to_dict() | {"c": None} == {"a": "miss", "b": "false alarm", "c": None, "<d>": "miss"}
    assert pd.isna(mass.loc["c", "outcome"]) and mass.loc["c", "label"] == "uncertain"
    hernia = pairs.xs("Hernia", level="finding")
    assert hernia["outcome"].isna().all() and hernia["threshold"].isna().all() and hernia["margin"].isna().all()
    assert hernia["label"].to_dict() == {"a": "unknown", "b": "unknown", "c": "unknown", "<d>": "absent"}
    assert mass["margin"].to_numpy() == pytest.approx(mass["score"].to_numpy() - 0.5)
    assert mass.loc["a", ["center", "view", "sex", "age", "group"]].tolist() == ["North", "PA", "F", "40-59", "rare"]


def test_a_patient_is_an_id_that_tells_no_name_and_is_one_at_every_center(small: Cohort) -> None:
    for made in (small.films, small.predictions(), pd.DataFrame([small.film("a").facts])):
        assert NAMED not in made.to_csv()
    patient = small.films.set_index("case")["patient"]
    assert patient["a"] == patient["b"] == patient["<d>"] and pd.isna(patient["c"])
    assert len(patient["a"]) == 16


def test_findings_and_films_count_unknown_labels_in_neither_class(small: Cohort) -> None:
    findings = small.findings.set_index("finding")
    assert findings.loc["Mass", ["films", "positives", "negatives"]].tolist() == [4, 2, 1]
    assert findings.loc["Hernia", ["films", "positives", "negatives"]].tolist() == [4, 0, 1]
    assert dict(small.films[["case", "present"]].to_numpy()) == {"<d>": "Mass", "a": "Mass", "b": "", "c": ""}
    assert small.models[["model", "unit", "findings", "films"]].to_numpy().tolist() == [[MODEL, "score", 2, 4]]


def test_misses_are_in_the_order_of_the_page(phantom: Cohort) -> None:
    misses = phantom.misses(group="very rare", center="B")
    chosen = Slice("phantom", "phantom", outcomes=(Outcome.MISS,), group=FrequencyGroup.VERY_RARE, center="B")
    store = loaded_store()
    count = store.count(chosen)
    assert len(misses) == count.pairs and misses["case"].nunique() == count.films
    page = store.page(chosen, 0, size=count.films)
    first = misses.drop_duplicates("case")
    assert first["case"].tolist() == [film.case for film in page]
    assert first["finding"].tolist() == [film.finding for film in page]
    assert first["score"].to_numpy() == pytest.approx(np.array([film.score for film in page], np.float32))
    assert set(misses["outcome"]) == {"miss"} and (misses["margin"] < 0).all()
    odds = (logit(misses[side].to_numpy(np.float64)) for side in ("score", "threshold"))
    assert np.all(np.diff(np.subtract(*odds)) >= -1e-6) and misses.attrs["films"] == "SIMULATED"


@pytest.mark.parametrize(
    ("where", "words", "fields"),
    [
        ("center=B, view=AP", {}, {"center": "B", "view": "AP"}),
        ("center=B", {"view": "ap"}, {"center": "B", "view": "AP"}),
        ("", {"outcome": "False-Alarm", "group": "VERY RARE"}, {"outcomes": ("false alarm",), "group": "very rare"}),
        ("finding=effusion", {"outcome": "wrong"}, {"finding": "Pleural Effusion", "outcomes": "wrong"}),
        ("", {"low": 0.5, "high": "0.9", "age": "80+"}, {"low": 0.5, "high": 0.9, "age": "80+"}),
        (
            "group=rare, source=nih, called=Fracture",
            {"center": None},
            {"group": "rare", "source": "nih", "called": "Fracture"},
        ),
        ("", {"against": "lab-crt-0", "relation": "both wrong"}, {"against": "lab-crt-0", "relation": "both wrong"}),
    ],
)
def test_words_and_arguments_choose_the_films_of_a_slice(
    phantom: Cohort, where: str, words: dict[str, object], fields: dict[str, object]
) -> None:
    store = loaded_store()
    count = store.count(Slice("phantom", "phantom", **fields))  # type: ignore[arg-type]
    pairs = phantom.predictions("phantom", where, **words)
    assert 0 < len(pairs) == count.pairs and pairs["case"].nunique() == count.films


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda c: Cohort("fantom"), "cohort 'fantom'"),
        (lambda c: c.predictions("phantm"), "you mean phantom"),
        (lambda c: c.predictions("phantom", "centre=B"), "filter 'centre'"),
        (lambda c: c.misses(group="very rar"), "you mean very rare"),
        (lambda c: c.misses(finding="Pneumothorx"), "Did you mean Pneumothorax?"),
        (lambda c: c.misses(outcome="hit"), "predictions(outcome='hit')"),
        (lambda c: c.predictions(where="center=B", center="A"), "filter center"),
        (lambda c: c.predictions(low=0.5, high=0.2), "slice names a range"),
        (lambda c: c.predictions(low="much"), "low=much"),
        (lambda c: c.predictions(against="lab-crt-0"), "say which, or how"),
        (lambda c: c.metrics(["phantom", "phantom"]), "named twice"),
        (lambda c: c.metrics([]), "No model is named"),
        (lambda c: c.metrics("phantom", hospital="B"), "no filter 'hospital'"),
        (lambda c: c.metrics("phantom", by="findings"), "Did you mean finding?"),
        (lambda c: c.metrics("phantom", by="finding", natural=True), "natural does not apply to by='finding'"),
        (lambda c: c.film("x"), "no case 'x'"),
    ],
)
def test_a_wrong_word_is_refused_with_the_nearest_and_all_others(
    phantom: Cohort, asked: object, said: str, wording: Wording
) -> None:
    with pytest.raises(Refusal) as refused:
        asked(phantom)  # type: ignore[operator]
    assert said in str(refused.value)
    wording(refused.value)


def test_a_cohort_that_nobody_scored_says_how_to(tmp_path: Path, wording: Wording) -> None:
    folder = write_small(tmp_path / "cohorts", FILMS, {})
    folder.model(MODEL).unlink()
    bare = Cohort(NAME, home=tmp_path)
    assert bare.models.empty and "0 models" in repr(bare)
    with pytest.raises(Refusal) as caught:
        bare.predictions()
    wording(caught.value, "--help")


def test_own_cohorts_are_those_of_the_page_unless_a_home_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    write_several(tmp_path / "there" / "cohorts", 3, 20)
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path / "there"))
    assert set(Cohort(NAME).models["model"]) == set(MODELS)
    with pytest.raises(Refusal) as caught:
        Cohort(NAME, home=tmp_path / "elsewhere")
    wording(caught.value, "'small'")


def test_a_cohort_says_what_it_is(phantom: Cohort, small: Cohort) -> None:
    assert repr(phantom).splitlines()[0] == "Cohort phantom" and "2,000 SIMULATED films" in repr(phantom)
    assert "Not for medical use" in repr(phantom) and "SIMULATED" not in repr(small)
    shown = phantom._repr_html_()
    assert "SIMULATED" in shown and "lab-crt-0" in shown and "Not for medical use" in shown
