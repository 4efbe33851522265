"""Films ranked by a text, beside the same in a few lines of numpy; what is refused, and what is asked once."""

from __future__ import annotations

import io
import math
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from explorer.analysis.cases.text_ranking import NoRanking, rank_by_text, text_margins
from explorer.analysis.cases.text_worth import text_performance
from explorer.analysis.exports.slice_export import export_slice
from explorer.core.findings import Outcome
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.csv_export import unpacked
from tests.support.small_cohort import Film, store_of, write_small
from tests.support.texts import VLM, Texts, vlm_of
from tests.support.wording import Wording

EVERY = Slice("small", VLM)
D = 5


def films(dice: np.random.Generator, n: int) -> list[Film]:
    """Half-precision features, some of them alike, some missing; names in no order."""
    few = dice.standard_normal((max(1, n // 2), D)).astype(np.float16)
    drawn = few[dice.integers(0, len(few), n)]
    return [
        Film(
            f"film {number}",
            {"Mass": str(dice.choice(["present", "absent", "unknown"]))},
            {"Mass": float(dice.normal()) / 10},
            patient=f"patient {dice.integers(0, n)}",
            center=str(dice.choice(["North", "South"])),
            features=[] if dice.random() < 0.1 and number else drawn[number].tolist(),
        )
        for number in dice.permutation(n)
    ]


def cohort(place: Path, made: list[Film], sha256: str | None = "ab12") -> Store:
    return store_of(write_small(place, made, {"Mass": 0.0}, model=VLM, sha256=sha256))


@pytest.mark.parametrize("seed", range(12))
def test_the_order_is_that_of_numpy(tmp_path: Path, seed: int) -> None:
    dice = np.random.default_rng(seed)
    made = films(dice, int(dice.integers(1, 60)))
    direction = dice.standard_normal(D).astype(np.float32)
    store, texts = cohort(tmp_path, made), Texts({"fluid": direction})
    vectors = {film.case: np.array(film.features, np.float32) for film in made if film.features}
    margin = {case: np.float32(vector @ direction) for case, vector in vectors.items()}
    names = sorted(film.case for film in made)
    for chosen in (EVERY, Slice("small", VLM, center="North"), Slice("small", VLM, outcomes=(Outcome.MISS,))):
        numbers = store.films(chosen)
        inside = [names[number] for number in numbers]
        found = rank_by_text(store, texts, chosen, "fluid")
        expected = sorted((case for case in inside if case in margin), key=lambda case: (-margin[case], case))
        ranked = [names[number] for number in found.films]
        assert found.margins == pytest.approx([margin[case] for case in ranked], abs=1e-5)
        assert [round(float(margin[case]), 4) for case in ranked] == [round(float(margin[c]), 4) for c in expected]
        assert set(ranked) == set(expected)
        for case, percentile in zip(ranked, found.percentiles, strict=True):
            every = np.array(list(margin.values()))
            lower, alike = np.sum(every < margin[case] - 1e-5), np.sum(abs(every - margin[case]) <= 1e-5)
            assert percentile == pytest.approx(100 * (lower + alike / 2) / len(every))
        assert (found.embedded, found.left_out) == (len(margin), len(inside) - len(expected))
        for one, other, same in zip(ranked, ranked[1:], np.diff(found.margins) == 0, strict=False):
            assert not same or one < other


def test_the_slices_films_are_those_that_its_pages_have(tmp_path: Path) -> None:
    made = films(np.random.default_rng(3), 40)
    store = cohort(tmp_path, made)
    for chosen in (EVERY, Slice("small", VLM, low=0.0), Slice("small", VLM, outcomes=(Outcome.HIT,), center="South")):
        listed = {film.case for film in store.page(chosen, 0, size=1000)}
        names = sorted(film.case for film in made)
        assert {names[number] for number in store.films(chosen)} == listed
        assert [film.case for film in store.these(chosen, store.films(chosen)[::-1])] == sorted(listed, reverse=True)


def test_an_export_has_the_order_the_margins_and_what_they_are_of(tmp_path: Path) -> None:
    made = films(np.random.default_rng(5), 40)
    store, texts = cohort(tmp_path, made), Texts({"fluid": np.ones(D)})
    ranked = rank_by_text(store, texts, EVERY, "fluid")
    assert ranked.left_out
    table = pq.read_table(io.BytesIO(export_slice(store, EVERY, "parquet", ranked).data))
    names = sorted(film.case for film in made)
    cases, n = table.column("case").to_pylist(), len(ranked.films)
    assert cases[:n] == [names[film] for film in ranked.films]
    assert table.column("text_margin").to_pylist() == [*ranked.margins.tolist(), *[None] * ranked.left_out]
    assert table.column("text_percentile").to_pylist()[:n] == ranked.percentiles.tolist()
    assert sorted(cases) == sorted(store.rows(EVERY).column("case").to_pylist())
    (first, *_), facts = unpacked(export_slice(store, EVERY, "csv", ranked).data)
    assert float(first["text_margin"]) == pytest.approx(float(ranked.margins[0]))
    assert (facts["text"], facts["text_model"], facts["text_model_sha256"]) == ("fluid", VLM, "ab12")
    assert f"{n} films with an embedding" in facts["text_percentile_is"]
    statement = export_slice(store, EVERY, "sql", ranked).data.decode()
    assert "-- text: fluid" in statement and "-- order: worst first" in statement
    assert "-- score_is: " in statement and "_percentile" not in statement


def test_a_text_is_asked_once_whatever_the_slice_and_the_page(tmp_path: Path) -> None:
    store, texts = cohort(tmp_path, films(np.random.default_rng(0), 20)), Texts({"fluid": np.ones(D)})
    for _ in range(3):
        rank_by_text(store, texts, EVERY, "fluid")
        rank_by_text(store, texts, Slice("small", VLM, center="North"), "fluid")
    assert texts.asked == ["fluid"]


def test_new_embeddings_are_seen_by_the_next_question(tmp_path: Path) -> None:
    made = [Film(f"{n}", {}, {"Mass": 0.0}, features=[float(n), 1.0]) for n in range(3)]
    store, texts = cohort(tmp_path, made), Texts({"fluid": np.array([1.0, 0.0])})
    assert rank_by_text(store, texts, EVERY, "fluid").films.tolist() == [2, 1, 0]
    cohort(tmp_path, [Film(film.case, {}, film.scores, features=[-film.features[0], 1.0]) for film in made])
    store.look("small")
    assert rank_by_text(store, texts, EVERY, "fluid").films.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("card", "width", "words"),
    [
        (vlm_of("another"), D, "`python -m explorer score --cohort small --model another`"),
        (vlm_of(sha256="cd34"), D, "other weights"),
        (vlm_of(), D + 1, "length 5, the text 6"),
    ],
)
def test_embeddings_of_another_model_are_refused(
    tmp_path: Path, card: object, width: int, words: str, wording: Wording
) -> None:
    store = cohort(tmp_path, films(np.random.default_rng(0), 5))
    with pytest.raises(NoRanking) as refused:
        rank_by_text(store, Texts({"fluid": np.ones(width)}, card=card), EVERY, "fluid")  # type: ignore[arg-type]
    wording(refused.value, words)


def test_how_well_a_text_ranks_is_counted_on_labelled_films_alone(tmp_path: Path) -> None:
    labels = ["present", "absent", "present", "absent", "unknown"]
    made = [
        Film(f"{n}", {"Mass": labels[n % 5]}, {"Mass": 0.0}, features=[(n % 5 == 0) + 0.01 * n, 1.0]) for n in range(60)
    ]
    store = cohort(tmp_path, made)
    ranked = rank_by_text(store, Texts({"lump": np.array([1.0, 0.0])}, taken_for="Mass"), EVERY, "lump")
    found = text_performance(store, Slice("small", VLM, outcomes=(Outcome.MISS,), finding="Mass"), ranked)
    assert found is not None and found.auroc is not None and found.average_precision is not None
    assert (found.finding, found.films, found.n, found.positives) == ("Mass", "Films of small", 48, 24)
    values = text_margins(store, "small", ranked)
    names = sorted(range(60), key=str)
    present = [values[row] for row, n in enumerate(names) if n % 5 in (0, 2)]
    absent = [values[row] for row, n in enumerate(names) if n % 5 in (1, 3)]
    area = np.mean([(one > other) + 0.5 * (one == other) for one in present for other in absent])
    assert found.auroc.value == pytest.approx(area)
    assert found.auroc.low < area < found.auroc.high


def test_a_text_that_is_like_no_finding_or_has_no_labels_is_not_counted(tmp_path: Path) -> None:
    store = cohort(tmp_path, [Film(f"{n}", {"Mass": "absent"}, {"Mass": 0.0}, features=[n, 1]) for n in range(4)])
    unlike = rank_by_text(store, Texts({"sky": np.ones(2)}), EVERY, "sky")
    assert text_performance(store, EVERY, unlike) is None
    absent = text_performance(
        store, EVERY, rank_by_text(store, Texts({"lump": np.ones(2)}, taken_for="Mass"), EVERY, "lump")
    )
    assert absent is not None and (absent.n, absent.positives, absent.auroc) == (4, 0, None)
    none = text_performance(
        store, EVERY, rank_by_text(store, Texts({"rib": np.ones(2)}, taken_for="Rib Fracture"), EVERY, "rib")
    )
    assert none is not None and (none.n, none.auroc) == (0, None)


def test_a_finding_of_the_cohorts_own_is_counted_by_its_labels(tmp_path: Path) -> None:
    dice = np.random.default_rng(8)
    label = dice.choice(["present", "absent", "unknown"], 80)
    made = [
        Film(
            f"{n:02}",
            {"Lung Cavity": str(label[n]), "Mass": "absent"},
            {"Mass": 0.0},
            center=str(dice.choice(["North", "South"])),
            features=[float(dice.normal()), 1.0],
        )
        for n in range(80)
    ]
    store = cohort(tmp_path, made)
    texts = Texts({"lung  cavity": np.array([1.0, 0.0])}, taken_for="Mass")
    for where in (EVERY, Slice("small", VLM, center="North")):
        ranked = rank_by_text(store, texts, where, "lung  cavity")
        found = text_performance(store, where, ranked)
        inside = [n for n in range(80) if where.center in (None, made[n].center)]
        said = [(np.float16(made[n].features[0]), label[n] == "present") for n in inside if label[n] != "unknown"]
        present, absent = ([float(value) for value, has in said if has is wanted] for wanted in (True, False))
        area = np.mean([(one > other) + 0.5 * (one == other) for one in present for other in absent])
        assert found is not None and found.own and found.finding == "Lung Cavity" and found.auroc is not None
        assert (found.n, found.positives) == (len(present) + len(absent), len(present))
        assert found.auroc.value == pytest.approx(area)
    near = text_performance(
        store, EVERY, rank_by_text(store, Texts({"lump": np.ones(2)}, taken_for="Mass"), EVERY, "lump")
    )
    assert near is not None and not near.own and near.finding == "Mass"


@pytest.mark.parametrize("seed", range(4))
def test_equal_embeddings_tie_wherever_they_stand(tmp_path: Path, seed: int) -> None:
    dice = np.random.default_rng(seed)
    few, kind = dice.standard_normal((7, 1280)).astype(np.float16), dice.integers(0, 7, 90)
    made = [Film(f"{n:02}", {}, {"Mass": 0.0}, features=few[kind[n]].tolist()) for n in range(90)]
    direction = dice.standard_normal(1280).astype(np.float32)
    for some in (made, made[:1], made[40:], made[::-1]):
        found = rank_by_text(cohort(tmp_path, some), Texts({"fluid": direction}), EVERY, "fluid")
        numbers = [sorted(int(film.case) for film in some)[number] for number in found.films]
        alone = [np.float32(math.fsum(few[kind[n]] * direction.astype(np.float64))) for n in numbers]
        assert found.margins == pytest.approx(alone, abs=1e-5)
        assert len(set(found.margins.tolist())) == len(set(kind[numbers].tolist()))
        by_kind = dict(zip(kind[numbers].tolist(), found.margins.tolist(), strict=True))
        if some is made:
            every = by_kind
        assert by_kind.items() <= every.items(), "a margin does not change with the films beside it"
