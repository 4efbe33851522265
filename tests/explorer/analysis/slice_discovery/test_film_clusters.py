"""Clusters of films: where failures are planted in vectors or spectra they are found; reading moves no film."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import false_discovery_control, fisher_exact

from explorer.analysis.slice_discovery.candidate_facets import Facet
from explorer.analysis.slice_discovery.cluster_candidates import (
    FilmPoints,
    NothingToCluster,
    cluster_candidates,
    embedding_points,
)
from explorer.analysis.slice_discovery.cluster_words import (
    MAX_FACET_P,
    MAX_NAMED_FACETS,
    MIN_ADDED_DIFFERENCE,
    MIN_DIFFERENCE,
    cluster_name,
    overrepresented_facets,
)
from explorer.analysis.slice_discovery.discovered_slices import (
    CandidateSource,
    count_slices,
    propose_slices,
    rank_slices,
)
from explorer.analysis.slice_discovery.film_clusters import MAX_CLUSTERS, cluster_films, principal_components
from explorer.analysis.slice_discovery.film_spectra import film_spectra, spectra_file
from explorer.analysis.slice_discovery.finding_films import FindingFilms
from explorer.analysis.slice_discovery.where_it_fails import where_it_fails
from explorer.cohorts.film_source import FilmSource
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.core.arrays import Floats
from explorer.store.slices import Slice
from models.radiograph import Radiograph, UnreadableRadiograph
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small
from tests.support.wording import Wording


def blobs(n: int = 900) -> tuple[FindingFilms, Floats, Floats]:
    """Films in six heaps of vectors; those with the finding in the first heap are mostly missed."""
    dice = np.random.default_rng(3)
    heap = dice.integers(0, 6, n)
    vectors = dice.normal(0, 0.3, (n, 20)) + 3 * np.eye(20)[heap]
    present = dice.random(n) < 0.5
    missed = dice.random(n) < np.where(heap == 0, 0.7, 0.08)
    one = FindingFilms(
        finding="Mass",
        films=np.arange(n, dtype=np.int32),
        present=present,
        called=present & ~missed,
        scores=dice.random(n),
        patients=np.arange(n),
        searched=dice.random(n) < 0.5,
    )
    return one, vectors, heap.astype(float)


def test_a_heap_of_misread_films_is_the_slice_that_is_found() -> None:
    one, vectors, heap = blobs()
    found = cluster_candidates(one, FilmPoints.of(vectors, "vectors"))
    assert (found.inside.sum(axis=0) == 1).all()  # each film is in one cluster
    rows = rank_slices(count_slices(one, propose_slices(one, [("embeddings", found.inside)])[0], 500, 0))
    worse = [row for row in rows if row.adjusted < 0.05]
    inside = np.any([row.proposal.inside for row in worse], axis=0)
    assert worse and {row.proposal.failure for row in worse} == {"miss"}
    assert inside[heap == 0].mean() > 0.5 and inside[heap != 0].mean() < 0.05


def test_how_a_film_that_is_counted_is_read_does_not_say_where_it_belongs() -> None:
    one, vectors, _ = blobs()
    points = principal_components(vectors)
    present, called = one.present.astype(float), one.called.astype(float)
    before = cluster_films(points, present, called, one.searched)
    other = np.where(one.searched, called, 1 - called)
    after = cluster_films(points, np.where(one.searched, present, 1 - present), other, one.searched)
    assert (before.number == after.number).all() and (before.certainty == after.certainty).all()
    assert before.number.max() < MAX_CLUSTERS and before.certainty.max() <= 1


def test_few_films_are_one_cluster() -> None:
    ones = np.ones(30)
    found = cluster_films(np.random.default_rng(0).normal(size=(30, 4)), ones, ones, np.arange(30) < 20)
    assert set(found.number.tolist()) == {0}


def test_principal_components_keep_what_films_differ_by() -> None:
    vectors = np.random.default_rng(5).normal(size=(80, 6)) * [5, 3, 1, 0.5, 0.2, 0.1]
    points = principal_components(vectors)
    assert points[:, 0].std() == pytest.approx(1, abs=1e-3)
    covariance = np.cov(points.T)
    assert np.abs(covariance - np.diag(np.diag(covariance))).max() < 1e-3
    shares = np.linalg.eigvalsh(np.cov(vectors.T))[::-1]
    assert np.diag(covariance) / covariance[0, 0] == pytest.approx(shares / shares[0], abs=1e-3)


def test_films_without_a_vector_are_in_no_cluster() -> None:
    one, vectors, _ = blobs()
    vectors[:40] = np.nan
    found = cluster_candidates(one, FilmPoints.of(vectors, "vectors"))
    assert not found.inside[:, :40].any() and found.inside[:, 40:].any(axis=0).all()


def test_words_are_what_the_films_have_more_often(wording: Wording) -> None:
    dice = np.random.default_rng(8)
    inside = dice.random(400) < 0.2
    plain = [(Facet("sex", name, name), dice.random(400) < 0.5) for name in "FM"]
    plain.append((Facet("view", "AP", "AP films"), dice.random(400) < np.where(inside, 0.9, 0.3)))
    plain.append((Facet("center", "B", "at B"), dice.random(400) < np.where(inside, 0.7, 0.4)))
    found = overrepresented_facets(inside, plain)
    assert [each.facet.words for each in found] == ["AP films", "at B"]
    for each in found:
        has = dict(plain)[each.facet]
        assert (each.here.hits, each.here.n) == (int((has & inside).sum()), int(inside.sum()))
        assert (each.rest.hits, each.rest.n) == (int((has & ~inside).sum()), int((~inside).sum()))
        assert (each.here.value or 0) >= (each.rest.value or 0) + MIN_DIFFERENCE
    assert len(overrepresented_facets(inside, plain * 3)) <= MAX_NAMED_FACETS
    assert not cluster_name(())
    wording(cluster_name(found), "AP films", "B")


def test_what_films_have_because_of_another_word_adds_nothing() -> None:
    dice = np.random.default_rng(9)
    inside = dice.random(1000) < 0.3
    ap = dice.random(1000) < np.where(inside, 0.9, 0.3)
    b = dice.random(1000) < np.where(ap, 0.8, 0.2)  # by the view alone
    women = dice.random(1000) < np.where(inside, 0.4, 0.2)
    facets = [
        (Facet("center", "B", "at B"), b),
        (Facet("sex", "F", "women and girls"), women),
        (Facet("view", "AP", "AP films"), ap),
        (Facet("view", "frontal", "frontal films"), ap | (dice.random(1000) < np.where(inside, 0.7, 0.1))),
        (Facet("also_present", "Normal", "on films with Normal"), dice.random(1000) < np.where(inside, 0.3, 0.1)),
    ]
    assert [each.facet.words for each in overrepresented_facets(inside, facets[:1])] == ["at B"]
    found = overrepresented_facets(inside, facets)
    assert {each.facet.field for each in found} == {"view", "sex", "also_present"}, "one view, no center"
    said = cluster_name(found)
    assert said.startswith(("Mostly AP films; ", "Mostly frontal films; "))
    assert "normal films" in said and "women and girls" in said


@pytest.mark.parametrize("seed", range(4))
def test_words_are_those_of_a_plain_loop(seed: int) -> None:
    dice = np.random.default_rng(seed)
    n = 300
    inside = dice.random(n) < 0.3
    facets = []
    for number in range(12):
        share = np.where(inside, dice.random(), dice.random())
        if number % 3 == 2:  # a shadow of the one before
            share = np.where(facets[-1][1], 0.85, 0.1)
        facets.append((Facet("also_present", str(number), str(number)), dice.random(n) < share))
    rows = [
        (int((has & inside).sum()), int(inside.sum()), int((has & ~inside).sum()), int((~inside).sum()))
        for _, has in facets
    ]
    p = [fisher_exact([[a, m - a], [c, k - c]], alternative="greater").pvalue for a, m, c, k in rows]
    left = [
        place
        for place, q in enumerate(false_discovery_control(p))
        if q <= MAX_FACET_P and rows[place][0] / rows[place][1] - rows[place][2] / rows[place][3] >= MIN_DIFFERENCE
    ]
    expected: list[int] = []
    while left and len(expected) < MAX_NAMED_FACETS:
        apart = []
        for place in left:
            sums = [0.0, 0.0]
            for stratum in product([False, True], repeat=len(expected)):
                films = [
                    all(facets[at][1][f] == has for at, has in zip(expected, stratum, strict=True)) for f in range(n)
                ]
                here = [bool(facets[place][1][f]) for f in range(n) if films[f] and inside[f]]
                rest = [bool(facets[place][1][f]) for f in range(n) if films[f] and not inside[f]]
                if here and rest:
                    weight = len(here) * len(rest) / (len(here) + len(rest))
                    sums[0] += weight * (sum(here) / len(here) - sum(rest) / len(rest))
                    sums[1] += weight
            apart.append(sums[0] / sums[1] if sums[1] else 0.0)
        if max(apart) < MIN_ADDED_DIFFERENCE:
            break
        expected.append(left.pop(int(np.argmax(apart))))
    assert [int(each.facet.words) for each in overrepresented_facets(inside, facets)] == expected and expected


READ: list[str] = []  # the films that were read


@dataclass(frozen=True)
class Made:
    """A film: every fourth is all fine detail, the others coarse; that of one case cannot be read."""

    case: str
    time: int

    def changed(self) -> int | None:
        return self.time

    def nbytes(self) -> int:
        return 0

    def radiograph(self, longest: int = 160) -> Radiograph:
        READ.append(self.case)
        if self.case == "005":
            raise UnreadableRadiograph("No", "Because.")
        dice = np.random.default_rng(int(self.case))
        fine, coarse = dice.random((64, 64)), np.kron(dice.random((8, 8)), np.ones((8, 8)))
        return Radiograph.from_pixels(fine if is_fine(self.case) else coarse)


class MadeImages(Images):
    """All films are made, and changed at this time."""

    time = 7

    def film(self, root: str | None, file: str | None) -> FilmSource | None:
        return None if file is None else Made(file, self.time)


def is_fine(case: str) -> bool:
    return int(case) % 4 == 0


def cohort_of(place: Path, n: int = 400) -> Folder:
    """Films of one finding, of which those with fine detail are missed more often; features say the same."""
    dice = np.random.default_rng(1)
    films = []
    for number in range(n):
        case = f"{number:03d}"
        present = bool(dice.random() < 0.6)
        missed = dice.random() < (0.8 if is_fine(case) else 0.05)
        films.append(
            Film(
                case,
                {"Mass": "present" if present else "absent"},
                {"Mass": 0.2 if missed or not present else 0.8},
                patient=case,
                view="AP" if is_fine(case) else "PA",
                features=tuple(float(is_fine(case)) + dice.normal(0, 0.1) for _ in range(4)),
                file=None if number == 6 else case,
            )
        )
    return write_small(place, films, {"Mass": 0.5})


def test_each_film_is_read_once_and_again_when_it_changes(tmp_path: Path, wording: Wording) -> None:
    folder = cohort_of(tmp_path, 30)
    store, images = store_of(folder), MadeImages()
    READ.clear()
    heard: list[tuple[int, int]] = []
    found = film_spectra(store, images, folder, lambda done, of: heard.append((done, of)))
    assert sorted(READ) == [f"{n:03d}" for n in range(30) if n != 6] and heard[-1] == (28, 29)
    assert np.flatnonzero(np.isnan(found.points).any(axis=1)).tolist() == [5, 6]
    wording(found.source, "2 films")
    READ.clear()
    again = film_spectra(store, images, folder)
    assert READ == ["005"] and np.array_equal(again.points, found.points, equal_nan=True)
    spectra_file(folder).write_bytes(b"no Parquet")
    images.time = 8
    film_spectra(store, images, folder)
    assert len(READ) == 1 + 29


def test_without_a_film_there_are_no_spectra(tmp_path: Path, wording: Wording) -> None:
    folder = cohort_of(tmp_path, 30)
    with pytest.raises(NothingToCluster) as caught:
        film_spectra(store_of(folder), Images({}, list), folder)
    wording(caught.value, "small")
    assert not spectra_file(folder).exists()


@pytest.mark.parametrize("source", ["embeddings", "spectra"])
def test_planted_films_are_a_cluster_with_its_words_and_films(tmp_path: Path, source: CandidateSource) -> None:
    folder = cohort_of(tmp_path)
    store = store_of(folder)
    chosen = Slice(NAME, MODEL, finding="Mass")
    found = where_it_fails(
        store, chosen, source, spectra=lambda: film_spectra(store, MadeImages(), folder), resamples=500
    )
    assert found.made_of.startswith({"embeddings": "embeddings of reader", "spectra": "power spectra"}[source])
    worse = [row for row in found.rows if row.figures.adjusted < 0.05]
    assert worse
    cases = sorted(store.patients(NAME))
    for row in worse:
        assert row.figures.proposal.failure == "miss" and not row.facets
        assert row.marks[0].facet.words == "AP films" and row.name.startswith("Mostly AP films")
        assert row.marks[0].here.n == row.positives, "of films on which it can be missed"
        assert all(is_fine(cases[film]) for film in row.first)
        assert row.films >= len(row.first) > 0


def test_a_model_without_embeddings_is_clustered_by_anothers(tmp_path: Path, wording: Wording) -> None:
    films = [Film(f"{n}", {"Mass": "present"}, {"Mass": 0.3}, features=(n, 1.0)) for n in range(4)]
    write_small(tmp_path, films, {"Mass": 0.5}, model="with")
    bare = [Film(film.case, film.labels, film.scores) for film in films]
    store = store_of(write_small(tmp_path, bare, {"Mass": 0.5}))
    assert embedding_points(store, NAME, MODEL).source == "embeddings of with"
    with pytest.raises(NothingToCluster) as caught:
        embedding_points(store_of(write_small(tmp_path / "other", bare, {"Mass": 0.5})), NAME, MODEL)
    wording(caught.value, "embeddings")
