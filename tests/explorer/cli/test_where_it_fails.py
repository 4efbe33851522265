"""`where-it-fails` on shipped cohorts: the same slices as the page's, a file, and words for what cannot be."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from explorer.analysis.slice_discovery.where_it_fails import where_it_fails
from explorer.core.figures import p_text
from explorer.store.slices import Slice
from tests.explorer.cli.command import run
from tests.support.lasting_store import loaded_store
from tests.support.wording import Wording, line_with

ORDER = ("where-it-fails", "--cohort", "nih-oof", "--model", "nih-mini")


def test_the_slices_are_those_of_the_analysis(tmp_path: Path) -> None:
    file = tmp_path / "fails.csv"
    done = run(*ORDER, "--finding", "mass", "--where", "view=PA", "--out", str(file))
    assert done.exit_code == 0, done.stderr
    expected = where_it_fails(loaded_store(), Slice("nih-oof", "nih-mini", finding="Mass", view="PA"))
    assert f"({expected.searched} films) out of {expected.looks} " in done.stdout
    with file.open(newline="") as text:
        rows = list(csv.DictReader(text))
    assert [row["slice"] for row in rows] == [row.words for row in expected.rows] and rows
    assert {row["films"] for row in rows} == {"real"} and "SIMULATED" not in done.stdout
    for row in expected.rows:
        (line,) = (each for each in done.stdout.splitlines() if each.startswith(f"{row.words}  "))
        rate = row.figures.here
        assert f" {row.films:,} " in line and f"{rate.hits}/{rate.n} {rate.value:.2f} [" in line
        assert line.endswith(f"  {p_text(row.figures.adjusted)}")


def test_clusters_say_of_what_they_are_made(wording: Wording) -> None:
    done = run(*ORDER, "--finding", "Mass", "--by", "embeddings")
    assert done.exit_code == 0, done.stderr
    assert "(others " in done.stdout
    wording(line_with(done.stdout, "Clusters", "nih-mini"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--finding", "Goiter"), "film has finding=Goiter"),
        (("--where", "center=Nowhere"), "Nowhere"),
        (("--finding", "Hernia", "--where", "age=80+, sex=F"), "10 films"),
        (("--finding", "Mass", "--by", "spectra"), "film of nih-oof"),
        (("--images", "nih"), "--images"),
    ],
)
def test_what_cannot_be_is_refused_in_words(words: tuple[str, ...], said: str, wording: Wording) -> None:
    done = run(*ORDER, *words)
    assert done.exit_code == 2 and said in done.stderr and not done.stdout
    wording(line_with(done.stderr, said))


def test_simulated_films_are_said_to_be_so(wording: Wording) -> None:
    done = run("where-it-fails", "--cohort", "phantom", "--model", "phantom", "--finding", "Nodule")
    assert done.exit_code == 0
    wording(line_with(done.stdout, "SIMULATED", "Nodule"))
