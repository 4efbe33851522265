"""What the panel *where it fails* is told: rows that lead to their films, progress, a file, a base that is kept."""

from __future__ import annotations

import csv
import io
import time
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from explorer.analysis.slice_discovery.where_it_fails import where_it_fails
from explorer.core.findings import Outcome
from explorer.store.slices import Slice
from explorer.ui.explore import cluster_list_call
from explorer.ui.shared.links import resolve_slice, slice_words
from explorer.ui.shared.services import Services
from tests.support.wording import Wording
from tests.ui.panel_asker import Ask, Json, all_of, panel_asker, services_of

MASS = all_of(finding="Mass")


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with services_of() as made:
        yield made


@pytest.fixture(scope="module")
def ask(services: Services) -> Ask:
    return panel_asker(services)


def found(ask: Ask, asked: Slice, **words: str) -> Json:
    for _ in range(600):
        answer = ask("where_it_fails", asked, words=words)
        if not answer.get("computing"):
            return answer
        assert answer["stage"] == "looking" and answer["what"] in ("findings", "films")
        time.sleep(0.05)
    raise AssertionError("It takes half a minute.")


def test_rows_are_those_of_the_analysis_and_lead_to_their_failures(ask: Ask, services: Services) -> None:
    answer = found(ask, MASS)
    expected = where_it_fails(services.store, MASS)
    assert [row["words"] for row in answer["rows"]] == [row.words for row in expected.rows]
    assert (answer["looks"], answer["looked"] + answer["counted"]) == (expected.looks, 1650)
    for row, figures in zip(answer["rows"], (each.figures for each in expected.rows), strict=True):
        assert (row["here"]["hits"], row["here"]["n"]) == (figures.here.hits, figures.here.n)
        assert row["cost"]["value"] == pytest.approx(figures.cost)
        assert row["adjusted"] == pytest.approx(figures.adjusted) and row["worse"] == (figures.adjusted < 0.05)
        there = resolve_slice(services.store, row["state"])
        assert there.outcomes == ({"miss": Outcome.MISS, "false alarm": Outcome.FALSE_ALARM}[row["failure"]],)
        assert services.store.count(there.population()).films == row["films"]
        assert services.store.count(there).films >= row["here"]["hits"]


def test_what_is_looked_within_stays_while_the_films_shown_are_narrowed(ask: Ask) -> None:
    whole = found(ask, MASS)
    narrowed = all_of(finding="Mass", sex="M", outcomes=(Outcome.MISS,))
    assert found(ask, narrowed, within=urlencode(slice_words(MASS))) == whole
    assert found(ask, narrowed)["films"] == 843
    refused = ask("where_it_fails", narrowed, words={"within": "cohort=none-such"})
    assert refused["stage"] == "refused"


def test_clusters_show_films_and_what_these_have_more_often(ask: Ask) -> None:
    answer = found(ask, MASS, fails="embeddings")
    assert answer["made_of"] == "embeddings of nih-mini" and answer["source"] == "embeddings"
    for row in answer["rows"]:
        assert row["state"] is None and row["first"] and len(row["marks"]) <= 3
        assert all(mark["here"]["value"] > mark["rest"]["value"] for mark in row["marks"])
        of = row["positives"] if row["failure"] == "miss" else row["films"] - row["positives"]
        assert all(mark["here"]["n"] == of for mark in row["marks"]) and row["words"].startswith("Cluster ")
        assert (row["name"] == row["words"]) == (not row["marks"])
        assert all(mark["words"] in row["name"] for mark in row["marks"])


def test_a_cluster_is_kept_as_a_list_whose_failures_are_a_slice(
    ask: Ask, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path))
    rows = found(ask, MASS, fails="embeddings")["rows"]
    (listed,) = cluster_list_call.calls(services)
    asked = {"finding": "Mass", "words": rows[0]["words"], "failure": rows[0]["failure"]}
    for name in (f"Mass, {rows[0]['words'].lower()}", f"Mass, {rows[0]['words'].lower()} (2)"):
        kept: Json = listed({"state": slice_words(MASS) | {"fails": "embeddings"}, **asked})
        assert (kept["stage"], kept["name"]) == ("cluster listed", name)
        there = resolve_slice(services.store, kept["state"])
        assert len(services.store.marks("nih-oof").lists[name]) == rows[0]["films"]
        assert services.store.count(there.population()).films == rows[0]["films"]
        assert there.finding == "Mass" and there.outcomes[0].value == rows[0]["failure"]
    gone: Json = listed({"state": slice_words(MASS) | {"fails": "embeddings"}, **asked, "words": "Cluster 99"})
    assert gone["stage"] == "refused" and "no such cluster" in gone["title"]


def test_spectra_of_films_that_are_not_here_are_refused_in_words(ask: Ask, wording: Wording) -> None:
    answer = found(ask, MASS, fails="spectra")
    assert answer["stage"] == "refused" and "nih-oof" in answer["title"]
    wording(answer["title"])


def test_the_file_has_a_row_for_each_slice(ask: Ask) -> None:
    answer = found(ask, MASS)
    file = ask("where_it_fails_file", MASS)
    assert (file["stage"], file["type"]) == ("export", "text/csv")
    assert file["name"] == "tailscope_where-it-fails_nih-oof_nih-mini_facets.csv"
    rows = list(csv.DictReader(io.StringIO(b64decode(file["data"]).decode())))
    assert [row["slice"] for row in rows] == [row["words"] for row in answer["rows"]]
    waiting = ask("where_it_fails_file", all_of(finding="Nodule"))
    assert waiting["stage"] == "refused" and "Save them once" in waiting["detail"]


def test_a_finding_of_few_films_is_refused_in_words(ask: Ask, wording: Wording) -> None:
    answer = found(ask, all_of(finding="Hernia", age="80+", view="AP", sex="F"))
    assert answer["stage"] == "refused"
    wording(answer["title"])
