"""`review`: from a slice of the simulated cohort to readers' labels, seen in Evaluate's figures."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.school.reviews.review import Vote
from explorer.school.reviews.review_files import opened_review
from explorer.store.store import Store
from tests.explorer.cli.command import run
from tests.explorer.school.classroom.served_class import Device
from tests.explorer.school.reviews.made_reviews import next_id
from tests.explorer.school.reviews.served_review import voted
from tests.support.wording import Wording

ROOT = Path(__file__).parents[3]
ASKED = ("--finding", "Mass", "--finding", "Nodule")
AGREE = Vote("agree all")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home"


def new(name: str, *words: str, sample: int = 8) -> str:
    slice_of = ("--cohort", "phantom", "--model", "phantom", "--where", "center=B", "--sample", str(sample))
    made = run("review", "new", name, *slice_of, *ASKED, "--repeats", "0", *words)
    assert made.exit_code == 0, made.output
    return made.stdout


def table(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def vote_all(name: str, by_reader: list[Vote]) -> None:
    """Each reader gives the same vote on all films; a film with a suggested mass and nodule has nothing to add."""
    with closing(opened_review(name)) as database:
        for reader, vote in enumerate(by_reader):
            for each in database.readings_of(reader):
                database.vote(reader, each.place, next_id(), vote)


def test_from_a_slice_to_a_source_of_labels(tmp_path: Path, wording: Wording) -> None:
    made = new("first")
    assert len(re.findall(r"^R[123] +[A-Z0-9]{8} +8$", made, re.M)) == 3
    nodule, nothing = Vote("own findings", frozenset({"Nodule"})), Vote("own findings")
    vote_all("first", [nodule, nodule, nothing])
    wording(run("review", "status", "first").stdout, "24 of 24 readings", "8 of 8 films")
    wording(run("review", "list").stdout)
    agreement = run("review", "agreement", "first", "--format", "csv").stdout
    row = next(each for each in csv.DictReader(agreement.splitlines()) if each["name"] == "Nodule")
    assert (row["films"], row["present"], round(float(row["agreement"]), 3)) == ("8", "1.0", 0.333)

    out = tmp_path / "benchmark"
    refused = run("review", "release", "first", "--out", str(out))
    assert refused.exit_code == 2 and not out.exists()
    wording(refused.stderr, "--to phantom-readers")
    done = run("review", "release", "first", "--out", str(out), "--to", "phantom-readers")
    assert done.exit_code == 0, done.output
    wording(done.stdout.replace(str(out), "OUT"), "16 labels of 8 films")
    assert len(table(out / "labels.csv")) == 8
    votes = pq.read_table(out / "votes.parquet").to_pylist()
    assert len(votes) == 24 and {each["reader"] for each in votes} == {"R1", "R2", "R3"}
    codes = re.findall(r"^R[123] +([A-Z0-9]{8})", made, re.M)
    assert not [code for code in codes for path in out.iterdir() if code.encode() in path.read_bytes()]
    with closing(Store()) as store:
        assert "readers of first" in store.facets("phantom-readers", "phantom").label_sources
        grid = store.grid("phantom-readers", "phantom", "readers of first")
        label = grid.label[:, grid.findings.index("Nodule")]
        assert (label == 1).sum() == 8 and (label == 0).sum() == 0
        assert len(store.models("phantom-readers")) == len(store.models("phantom"))
        assert "readers of first" not in store.facets("phantom", "phantom").label_sources

    calls = table(out / "readers.csv")
    assert len(calls) == 3 * 8 * 2 and {row["call"] for row in calls if row["reader"] == "R3"} == {"0"}
    assert {row["finding"] for row in calls if row["call"] == "1"} == {"Nodule"}
    beside = run("readers", str(out / "readers.csv"), "--cohort", "phantom-readers")
    assert beside.exit_code == 0, beside.output

    again = run("review", "release", "first", "--out", str(tmp_path / "2"), "--to", "phantom-readers", "--source", "b")
    assert again.exit_code == 0, again.output
    with closing(Store()) as store:
        assert {"readers of first", "b"} <= set(store.facets("phantom-readers", "phantom").label_sources)


def test_unread_films_are_doubted_where_suggestion_and_model_differ() -> None:
    new("by-model", "--suggest", "model", sample=40)
    new("by-labels", "--suggest", "labels", "--next", "helpful", sample=40)
    found = {}
    for name in ("by-model", "by-labels"):
        with closing(opened_review(name)) as database:
            found[name] = {film.case: film for film in database.review.films}
            assert database.review.rules.order == ("helpful" if name == "by-labels" else "random")
    assert found["by-model"].keys() == found["by-labels"].keys()
    for case, film in found["by-labels"].items():
        called = found["by-model"][case].suggested
        assert film.doubt == len(set(film.suggested or ()) ^ set(called or ())), case
    assert any(film.doubt for film in found["by-labels"].values())
    wrong = run("review", "new", "x", "--cohort", "phantom", "--model", "phantom", "--next", "best")
    assert wrong.exit_code == 2


def test_a_third_reader_decides_where_two_disagree(tmp_path: Path, wording: Wording) -> None:
    new("gold", "--readers", "2", "--per-film", "2")
    vote_all("gold", [Vote("own findings", frozenset({"Mass"})), Vote("own findings")])
    assert "8 films need another reader" in run("review", "status", "gold").stdout
    given = run("review", "adjudicate", "gold", "--new-reader")
    assert re.search(r"R3 gets 8 more films.*: [A-Z0-9]{8}$", " ".join(given.stdout.split()))
    assert run("review", "adjudicate", "gold").exit_code == 2
    with closing(opened_review("gold")) as database:
        for each in database.readings_of(2):
            database.vote(2, each.place, next_id(), Vote("own findings", frozenset({"Mass"})))
    done = run(
        "review", "release", "gold", "--out", str(tmp_path / "gold"), "--protocol", "adjudicated", "--to", "gold"
    )
    assert "16 labels of 8 films" in done.stdout, done.output
    rows = table(tmp_path / "gold" / "labels.csv")
    assert {(row["readers"], row["Mass"], row["Nodule"]) for row in rows} == {("3", "1", "0")}


def test_reveals_procedure_keeps_the_held_out_half_out_of_the_cohort(tmp_path: Path) -> None:
    new("reveal", "--suggest", "model", sample=20)
    vote_all("reveal", [AGREE, AGREE, Vote("agree mostly")])
    out = tmp_path / "reveal"
    options = ("--protocol", "reveal", "--select", "12", "--rare", "Mass", "--to", "revealed", "--out", str(out))
    done = run("review", "release", "reveal", *options)
    assert done.exit_code == 0, done.output
    released, held = (table(each / "labels.csv") for each in (out, out / "held-out"))
    assert "Films with each finding" in (out / "halves.svg").read_text(encoding="utf-8")
    assert len(released) == len(held) == 6 and {row["agree_all"] for row in released} == {"2"}
    held_cases = {row["case"] for row in held}
    for name in ("votes.csv", "readers.csv"):  # what is passed on says nothing of the held-out half
        open_cases, kept_cases = ({row["case"] for row in table(each / name)} for each in (out, out / "held-out"))
        assert kept_cases == held_cases and len(open_cases) == 14 and not open_cases & held_cases
    with closing(Store()) as store:
        grid = store.grid("revealed", "phantom", "readers of reveal")
        known = (grid.label == grid.label).any(1)
        names = [name for name, there in zip(store.patients("revealed"), known, strict=True) if there]
    assert sorted(names) == sorted(row["case"] for row in released)


def test_films_are_drawn_by_label_issues_strata_and_a_file(tmp_path: Path, wording: Wording) -> None:
    issues = run("review", "new", "doubts", "--cohort", "phantom", "--model", "phantom", "--label-issues", *ASKED)
    assert issues.exit_code == 0, issues.output
    with closing(opened_review("doubts")) as database:
        cases = [film.case for film in database.review.films]
    slice_of = ("--cohort", "phantom", "--model", "phantom")
    strata = run(
        "review", "new", "strata", *slice_of, *ASKED, "--suggest", "labels", "--strata", "4,2000", "--repeats", "0"
    )
    wording(strata.stdout.partition("reader")[0], "2 suggested findings", "2,000")
    file = tmp_path / "llm.csv"
    file.write_text(f"case,findings\n{cases[0]},Mass\n{cases[1]},None\n", encoding="utf-8")
    made = run("review", "new", "llm", *slice_of, *ASKED, "--suggest", str(file))
    assert "2 films. Suggested labels: the file llm.csv" in made.stdout, made.output
    with closing(opened_review("llm")) as database:
        assert {film.case: film.suggested for film in database.review.films} == {cases[0]: ("Mass",), cases[1]: ()}
    json_file = tmp_path / "llm.json"
    states = [{"Mass": "uncertain", "Nodule": "present"}, {"Mass": "absent"}]
    entries = [{"case": case, "findings": named} for case, named in zip(cases, states, strict=False)]
    json_file.write_text(json.dumps({"films": entries}), encoding="utf-8")
    made = run("review", "new", "llm-json", *slice_of, *ASKED, "--suggestions", str(json_file))
    wording(made.stdout.partition("reader")[0], "1 label of 1 film", "the file llm.json")
    with closing(opened_review("llm-json")) as database:
        found = {film.case: (film.suggested, film.uncertain) for film in database.review.films}
    assert found == {cases[0]: (("Nodule",), ("Mass",)), cases[1]: ((), ())}
    assert json.loads(run("review", "schema").stdout)["required"] == ["films"]
    file.write_text(f"case,findings\n{cases[0]},Mas\n", encoding="utf-8")
    broken = run("review", "new", "broken", *slice_of, *ASKED, "--suggest", str(file))
    assert broken.exit_code == 1
    wording(broken.stderr, "1 problem", "line 2")


def test_a_review_asks_about_a_label_set_and_releases_what_no_model_scores(tmp_path: Path, wording: Wording) -> None:
    slice_of = ("--cohort", "phantom", "--model", "phantom", "--sample", "4", "--repeats", "0")
    made = run("review", "new", "reveal", *slice_of, "--label-set", "reveal-cxr", "--suggest", "model")
    assert made.exit_code == 0, made.output
    wording(made.stdout.partition("reader")[0], "COPD", "Aneurysm")
    with closing(opened_review("reveal")) as database:
        asked = database.review.findings
    assert len(asked) == 12 and {"COPD", "Hernia", "Pleural Effusion", "Lung nodule"} <= set(asked)
    vote_all("reveal", [Vote("agree mostly", frozenset({"COPD"}))] * 3)
    done = run("review", "release", "reveal", "--protocol", "majority", "--to", "copd", "--out", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    assert {row["COPD"] for row in table(tmp_path / "out" / "labels.csv")} == {"1"}
    with closing(Store()) as store:
        known = store.labels("copd", "readers of reveal")
        assert (known.labels[:, known.findings.index("COPD")] == 1).sum() == 4


@pytest.mark.parametrize(
    "words",
    [
        ("status", "none"),
        ("delete", "none"),
        ("new", "a b", "--cohort", "phantom", "--model", "phantom"),
        ("new", "x", "--cohort", "phantom", "--model", "phantom", "--finding", "Mas"),
        ("new", "x", "--cohort", "phantom", "--model", "phantom", "--label-set", "Chexprt"),
        ("new", "x", "--cohort", "phantom", "--model", "phantom", "--label-set", "CheXpert", "--finding", "Mass"),
        ("new", "x", "--cohort", "phantom", "--model", "phantom", "--sample", "4", "--suggest", "labels:nobody"),
        ("new", "x", "--cohort", "nih-oof", "--model", "nih-mini"),
        ("new", "x", "--cohort", "phantom", "--model", "phantom", "--strata", "5"),
        ("new", "x", "--cohort", "phantom", "--model", "phantom", "--sample", "4", "--per-film", "4"),
    ],
)
def test_what_cannot_be_done_is_refused(words: tuple[str, ...], wording: Wording) -> None:
    refused = run("review", *words)
    assert refused.exit_code == 2, refused.output
    wording(refused.stderr)


def test_votes_are_exported_while_a_review_goes_on(tmp_path: Path, wording: Wording) -> None:
    codes = re.findall(r"^R[123] +([A-Z0-9]{8})", new("half"), re.M)
    nothing = run("review", "export", "half", "--out", str(tmp_path / "none.csv"))
    assert nothing.exit_code == 0 and table(tmp_path / "none.csv") == []
    with closing(opened_review("half")) as database:
        first, second = database.readings_of(0)[:2]
        for each, seen in ((first, "Mass"), (second, "Nodule"), (first, "Nodule")):
            database.vote(0, each.place, next_id(), Vote("own findings", frozenset({seen}), certainty=2))
    files = [tmp_path / f"votes.{kind}" for kind in ("csv", "parquet")]
    for file in files:
        done = run("review", "export", "half", "--out", str(file))
        assert done.exit_code == 0, done.output
        wording(done.stdout.replace(str(file), "FILE"), "3 votes of 1 reader on 2 films")
        assert not [code for code in codes if code.encode() in file.read_bytes()]
    rows, stored = table(files[0]), pq.read_table(files[1]).to_pylist()
    assert [(row["reader"], row["place"], row["counts"], row["present"]) for row in rows] == [
        ("R1", "1", "0", "Mass"),
        ("R1", "1", "1", "Nodule"),
        ("R1", "2", "1", "Nodule"),
    ]
    assert [row["present"] for row in stored] == ["Mass", "Nodule", "Nodule"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "none.csv", "votes.csv", "votes.parquet"]
    folder = tmp_path / "no"
    for name, out in (("none", "a.csv"), ("half", "a.txt"), ("half", folder / "a.csv")):
        assert run("review", "export", name, "--out", str(tmp_path / out)).exit_code == 2
    assert not folder.exists()


def test_a_review_is_deleted_with_its_votes(home: Path) -> None:
    new("gone")
    assert run("review", "new", "gone", "--cohort", "phantom", "--model", "phantom").exit_code == 2
    assert run("review", "delete", "gone").exit_code == 0
    assert not list((home / "reviews").iterdir())
    assert "no review" in run("review", "list").stdout


def test_a_review_is_served_until_ctrl_c(home: Path, wording: Wording) -> None:
    new("served")
    command = [sys.executable, "-m", "explorer", "review", "serve", "served", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None and served.stderr is not None
        try:
            url = re.search(r"http://127\.0\.0\.1:(\d+)/", served.stdout.readline())
            assert url is not None
            wording(served.stdout.readline())
            device = Device(int(url[1]))
            with closing(opened_review("served")) as database:
                assert device.ask("/enter", {"code": database.codes[0]}).status == 200
            film = device.ask("/film/0").json
            assert film["simulated"] and film["suggested"] is None
            assert voted(device, 0, "own findings", added=["Mass"]).json["done"] == 1
            served.send_signal(signal.SIGINT)
            assert served.wait(30) == 130
            wording(served.stderr.read())
        finally:
            served.kill()
    assert "1 of 24 readings done" in run("review", "status", "served").stdout


@pytest.mark.parametrize("words", [("--tls", "yes"), ("--bind", "everywhere"), ("--host", "a b")])
def test_an_address_that_cannot_be_served_is_refused(words: tuple[str, ...]) -> None:
    new("served")
    assert run("review", "serve", "served", *words).exit_code == 2
