"""A folder's films are read as single ones are; whatever is no film is counted with its reason."""

from __future__ import annotations

import csv
import io
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.film_folder.film_rows import counts_by_reason, sorted_rows
from explorer.film_folder.film_table import FILM_TABLE_COLUMNS, table_text
from explorer.film_folder.limits import Limits, NoFolder
from explorer.film_folder.visitor_folder import VisitorFolder
from explorer.ui.folder.payload import folder_payload
from models.cards.finding_relations import StatedRelation
from models.radiograph import Radiograph
from tests.explorer.film_folder.visitor import PATIENCE, OwnScores, film, folder_of, readers, scores_of, sha256, zipped
from tests.support.film_files import dicom_bytes, dicom_dataset, synthetic_film
from tests.support.wording import Wording, line_with


def test_scores_are_those_of_single_films_and_sort_by_any_finding(tmp_path: Path) -> None:
    films = {f"film {seed}.png": film(seed) for seed in range(12)}
    folder = folder_of(tmp_path / "a", films)
    rows, refused, card = folder.results()
    assert refused == [] and card is not None
    assert [row.source.name for row in rows] == list(films)
    drawn = {name: scores_of(sha256(data)) for name, data in films.items()}
    for row in rows:
        assert np.array_equal(row.scores, drawn[row.source.name])
        thresholds = {name: point.threshold for name, point in card.operating_points.items()}
        scored = dict(zip(card.findings, drawn[row.source.name].tolist(), strict=True))
        assert {each.finding for each in row.flagged} == {
            name for name, cut in thresholds.items() if scored[name] >= cut
        }
    for place, finding in enumerate(card.findings):
        shown = [row.source.name for row in sorted_rows(rows, card, finding)]
        assert shown == sorted(films, key=lambda name: -drawn[name][place])
    most = [(row.confident, len(row.flagged)) for row in sorted_rows(rows, card, "above")]
    assert most == sorted(most, reverse=True) and len(set(most)) > 1


def test_a_film_unlike_the_test_films_has_no_likely_or_possible_finding(tmp_path: Path) -> None:
    films = {f"{seed}.png": film(seed) for seed in range(8)}
    near = folder_of(tmp_path / "near", films).results()[0]
    folder = folder_of(tmp_path / "far", films, is_far=lambda reading: True)
    rows, refused, card = folder.results()
    assert [[each.finding for each in row.flagged] for row in rows] == [
        [each.finding for each in row.flagged] for row in near
    ]
    assert sum(row.confident for row in near) > 0 == sum(row.confident for row in rows)
    shown = folder_payload(folder, "above", 0)["films"]
    assert all(each["far"] for each in shown)
    assert {flag["verdict"] for each in shown for flag in each["flagged"]} <= {"not known", "unreliable"}
    lines = csv.DictReader(io.StringIO(table_text(rows, refused, card)))
    assert all(
        line["unlike_test_films"] == "yes" and line["verdict"] in ("", "not known", "unreliable") for line in lines
    )


def test_what_is_no_film_is_counted_by_reason(tmp_path: Path, wording: Wording) -> None:
    header = dicom_dataset(synthetic_film())
    del header.PixelData
    files = {
        "a.png": film(1),
        "b/a.png": film(2),
        "again.png": film(1),
        "DICOMDIR": dicom_bytes(header),
        "notes.txt": b"call back at noon",
        "more.txt": b"and again",
        ".DS_Store": b"\0\0\0\1Bud1",
        "empty.png": b"",
    }
    folder = folder_of(tmp_path / "a", files)
    rows, refused, _ = folder.results()
    assert [row.source.name for row in rows] == ["a.png", "b/a.png"]
    reasons = counts_by_reason(refused)
    assert reasons[line_with(reasons, "text")] == 2 and reasons[line_with(reasons, "bytes", "another")] == 1
    assert sum(reasons.values()) == 5 and len(reasons) == 4
    wording(sorted(reasons))
    progress = folder.progress()
    assert (progress.read, progress.refused, progress.passed_over, progress.expected) == (2, 5, 1, 8)
    assert not progress.running and progress.seconds_left is None
    assert len(list(folder.films.iterdir())) == 2  # nothing of the others is kept


def test_a_lateral_film_is_not_refused_but_not_read_by_the_model(tmp_path: Path, wording: Wording) -> None:
    lateral = dicom_bytes(dicom_dataset(synthetic_film(), ViewPosition="LL"))
    rows, refused, _ = folder_of(tmp_path / "a", {"frontal.png": film(1), "lateral.dcm": lateral}).results()
    assert [row.source.name for row in rows] == ["frontal.png"]
    (each,) = refused
    wording(each.reason, "Lateral")
    wording(each.detail, "lateral")


def test_two_files_of_one_name_are_two_films(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "a", {"a.ZIP": zipped({"x.png": film(1)}), "b.zip": zipped({"X.png": film(2)})})
    assert [row.source.name for row in folder.results()[0]] == ["x.png", "X (2).png"]


def test_every_line_of_the_table_is_there_and_none_is_a_formula(tmp_path: Path, wording: Wording) -> None:
    films = {"=1+1.png": film(1), "b.png": film(2), "@x.txt": b"text"}
    rows, refused, card = folder_of(tmp_path / "a", films).results()
    assert card is not None
    lines = list(csv.DictReader(io.StringIO(table_text(rows, refused, card))))
    assert tuple(lines[0]) == FILM_TABLE_COLUMNS and len(lines) == 2 * 5 + 1
    assert {line["film"] for line in lines} == {"'=1+1.png", "b.png", "'@x.txt"}
    drawn = dict(zip(card.findings, scores_of(sha256(films["b.png"])).tolist(), strict=True))
    for line in lines:
        if line["film"] == "b.png":
            assert float(line["score"]) == pytest.approx(drawn[line["finding"]], rel=1e-5)
            cut = card.operating_points.get(line["finding"])
            word = "no threshold" if cut is None else "above" if drawn[line["finding"]] >= cut.threshold else "below"
            assert line["outcome"] == (word if cut is None else f"{word} threshold")
    wording(lines[-1]["not_read"], "text file")


def test_limits_are_said_in_words(tmp_path: Path, wording: Wording) -> None:
    limits = Limits(films=2, files=4, bytes=10**6)
    folder = folder_of(tmp_path / "a", {f"{seed}.png": film(seed) for seed in range(4)}, limits)
    reasons = counts_by_reason(folder.results()[1])
    assert list(reasons.values()) == [2]
    wording(list(reasons), "2 films")
    place = tmp_path / "b"
    place.mkdir()
    folder = VisitorFolder(place, readers(), 9, limits)
    for seed in range(4):
        folder.incoming.add(film(seed), "x.png")
    with pytest.raises(NoFolder, match="too many files"):
        folder.incoming.add(film(5), "x.png")
    folder.close()
    with pytest.raises(NoFolder) as refused:
        folder.incoming.add(film(5), "x.png")
    wording(refused.value, "no more")
    place = tmp_path / "c"
    place.mkdir()
    small = VisitorFolder(place, readers(), 1, Limits(bytes=1000))
    with pytest.raises(NoFolder, match="too large"):
        small.incoming.add(b"x" * 1001, "x.png")
    small.close()


class Turned(OwnScores):
    """Another model: every score is what the other one leaves of 1."""

    def __init__(self) -> None:
        super().__init__()
        self.card = replace(self.card, name="turned", relations=(StatedRelation("Mass", "related to", "Nodule"),))

    def read(self, radiograph: Radiograph) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        scores, features = super().read(radiograph)
        return 1 - scores, features


def test_another_model_reads_the_same_films_again(tmp_path: Path, wording: Wording) -> None:
    """What is no film is not looked at again, and counted once."""
    files = {f"{seed}.png": film(seed) for seed in range(4)} | {"notes.txt": b"call back", ".DS_Store": b"\0\0\0\1Bud1"}
    folder = folder_of(tmp_path / "a", files)
    first, refused, _ = folder.results()
    folder.kept = "mine"
    folder.read_again(readers(Turned()))
    assert folder.wait(PATIENCE)
    second, still, card = folder.results()
    assert card is not None and card.name == "turned" and still == refused
    assert [row.source for row in second] == [row.source for row in first]
    for before, after in zip(first, second, strict=True):
        assert np.array_equal(after.scores, 1 - before.scores)
    progress = folder.progress()
    assert (progress.read, progress.refused, progress.passed_over, progress.expected) == (4, 1, 1, 6)
    assert not progress.running and folder.kept == "", "the cohort that was kept has the other scores"
    lines = list(csv.DictReader(io.StringIO(table_text(second, still, card))))
    said = {line["finding"]: line["relations"] for line in lines if not line["not_read"]}
    assert said["Edema"] == ""
    wording(said["Mass"], "Nodule")
    folder.close()
    with pytest.raises(NoFolder, match="still being read"):
        folder.read_again(readers())


def test_a_folder_without_films_is_not_read_again(tmp_path: Path) -> None:
    with pytest.raises(NoFolder, match="nothing to read again"):
        folder_of(tmp_path / "a", {"notes.txt": b"call back"}).read_again(readers())


class Held(OwnScores):
    """Reads one film, then waits."""

    def __init__(self) -> None:
        super().__init__()
        self.read_one, self.go_on = threading.Event(), threading.Event()

    def read(self, radiograph: Radiograph) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        if self.read_one.is_set():
            self.go_on.wait(PATIENCE)
        self.read_one.set()
        return super().read(radiograph)


def test_stopped_it_keeps_what_was_read_and_closed_it_keeps_nothing(tmp_path: Path) -> None:
    model, place = Held(), tmp_path / "a"
    place.mkdir()
    folder = VisitorFolder(place, readers(model), 6)
    for seed in range(6):
        folder.incoming.add(film(seed), f"{seed}.png")
    assert model.read_one.wait(PATIENCE)
    with pytest.raises(NoFolder, match="still being read"):
        folder.read_again(readers())
    folder.incoming.stop()
    model.go_on.set()
    assert folder.wait(PATIENCE)
    assert 1 <= folder.progress().read <= 2
    folder.close()
    assert not place.exists()


def test_time_is_limited(tmp_path: Path, wording: Wording) -> None:
    folder = VisitorFolder(tmp_path, readers(), 1, Limits(seconds=0.0))
    assert folder.wait(PATIENCE)
    wording(folder.progress().note, "0 minutes")
    with pytest.raises(NoFolder) as refused:
        folder.incoming.add(film(1), "a.png")
    wording(refused.value, "no more")


def test_closed_while_a_zip_is_unpacked_nothing_is_left(tmp_path: Path) -> None:
    model, place = Held(), tmp_path / "a"
    place.mkdir()
    folder = VisitorFolder(place, readers(model), 1)
    folder.incoming.add(zipped({f"{seed}.png": film(seed) for seed in range(9)}), "films.zip")
    assert model.read_one.wait(PATIENCE)
    folder.close()
    model.go_on.set()
    assert folder.wait(PATIENCE)
    assert not place.exists()
