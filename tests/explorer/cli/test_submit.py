"""`submit` and `check --like`: a file that is as the sample has it passes; one that is broken is told how."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.analysis.exports.submission import Submission
from tests.explorer.cli.command import run
from tests.support.wording import Wording, line_with

SAMPLE = "ImageID,Bulla,goiter\na.png,0,0\nb.png,0,0\nc.png,0,0\n"
GOOD = "ImageID,Bulla,goiter\na.png,0.1,0.25\nb.png,0.5,1\nc.png,1e-05,0\n"
TASK_2 = ("submit", "--cohort", "phantom", "--model", "phantom-vlm", "--task", "2")


def checked(folder: Path, scores: str | bytes, name: str = "S.csv", sample: str = SAMPLE, *words: str) -> object:
    (folder / "sample.csv").write_text(sample)
    (folder / name).write_bytes(scores.encode() if isinstance(scores, str) else scores)
    return run("check", "--scores", str(folder / name), "--like", str(folder / "sample.csv"), *words)


def test_a_file_like_the_sample_passes(tmp_path: Path, wording: Wording) -> None:
    result = checked(tmp_path, GOOD)
    assert (result.exit_code, result.stderr) == (0, "")
    wording(result.stdout, "3 images", "2 columns", "sample.csv")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.replace(",goiter", ",Goiter"), "'Goiter' is called 'goiter'"),
        (lambda text: text.replace("goiter", "bone"), "1: no column 'goiter'"),
        (lambda text: text.replace("goiter", "bone"), "1: the column 'bone'"),
        (lambda text: text.replace("Bulla,goiter", "goiter,Bulla"), "sample.csv: column 2"),
        (lambda text: text.replace("goiter", "Bulla"), "line 1: 2 columns 'Bulla'"),
        (lambda text: text.replace("ImageID", "image"), "1: no column 'ImageID'"),
        (lambda text: text.replace("b.png,0.5,1\n", ""), "image 'b.png'"),
        (lambda text: text + "d.png,0,0\n", "line 5, image 'd.png'"),
        (lambda text: text + "a.png,0,0\n", "line 5, image 'a.png'"),
        (lambda text: text.replace("0.5", "1.5"), "the score 1.5"),
        (lambda text: text.replace("0.5", "nan"), "no score: 'nan'"),
        (lambda text: text.replace("0.5", ""), "line 3, image 'b.png'"),
        (lambda text: text.replace("0.5,", ""), "2 cells"),
        (lambda text: text.replace("b.png", ""), "line 3: no image id"),
        (lambda text: text.replace(".png", ""), "images have other names"),
        (lambda text: text.replace(",", ";"), "separated by semicolons: write"),
        (lambda text: text.replace("\n", ",\n"), "empty column without"),
        (
            lambda text: "".join(text.splitlines(keepends=True)[place] for place in (0, 2, 1, 3)),
            "line 2, image 'b.png'",
        ),
    ],
)
def test_what_is_not_as_in_the_sample_is_told(
    tmp_path: Path, change: Callable[[str], str], told: str, wording: Wording
) -> None:
    broken = change(GOOD)
    assert broken != GOOD
    result = checked(tmp_path, broken)
    assert (result.exit_code, result.stdout) == (1, "")
    assert told in result.stderr
    wording(line_with(result.stderr, told))


def test_a_thousand_missing_images_are_one_line(tmp_path: Path, wording: Wording) -> None:
    images = "".join(f"{k}.png,0,0\n" for k in range(1000))
    lines = checked(tmp_path, GOOD, sample=f"ImageID,Bulla,goiter\n{images}").stderr.splitlines()
    assert lines[0] == "1,003 problems found:"
    wording(lines[1], "S.csv", "1,000 images", "sample.csv", "'0.png'", "'1.png'")
    assert len(lines) == 5


def test_a_zip_is_opened_and_has_one_table(tmp_path: Path, wording: Wording) -> None:
    def packed(*names: str) -> bytes:
        with zipfile.ZipFile(tmp_path / "made.zip", "w") as made:
            for name in names:
                made.writestr(name, GOOD)
        return (tmp_path / "made.zip").read_bytes()

    assert checked(tmp_path, packed("x/scores.csv", "README.txt"), "S.zip").exit_code == 0
    for data, told in ((packed("a.csv", "b.csv"), "2 CSV files"), (packed(), "0 CSV"), (b"no", "S.zip is not")):
        result = checked(tmp_path, data, "S.zip")
        assert result.exit_code == 2
        wording(result.stderr, told)


def test_a_sample_needs_its_images_once_and_check_needs_one_thing_to_compare_with(
    tmp_path: Path, wording: Wording
) -> None:
    twice = checked(tmp_path, GOOD, sample=SAMPLE + "a.png,0,0\n")
    assert twice.exit_code == 2
    wording(line_with(twice.stderr, "sample.csv"))
    both = checked(tmp_path, GOOD, "S.csv", SAMPLE, "--logits")
    assert both.exit_code == 2
    wording(line_with(both.stderr, "--logits"))
    named = checked(tmp_path, GOOD, "S.csv", SAMPLE, "--not-finding", "Mass")
    assert named.exit_code == 2
    wording(line_with(named.stderr, "--not-finding"))
    neither = run("check", "--scores", str(tmp_path / "S.csv"))
    assert neither.exit_code == 2
    wording(line_with(neither.stderr, "--labels", "--like"))


def test_the_images_of_a_sample_may_stand_in_any_column(tmp_path: Path, wording: Wording) -> None:
    sample = "Bulla,image_id\n0,a\n0,b\n"
    assert checked(tmp_path, "Bulla,image_id\n0.5,a\n0.5,b\n", sample=sample).exit_code == 0
    swapped = checked(tmp_path, "image_id,Bulla\na,0.5\nb,0.5\n", sample=sample)
    assert swapped.exit_code == 1
    wording(line_with(swapped.stderr, "1", "'image_id'", "'Bulla'"))
    columns = "Scoliosis,Osteopenia,image_id,Bulla,Infarction,Adenopathy,Goiter"
    (tmp_path / "sample.csv").write_text(f"{columns}\n0,0,A-000006,0,0,0,0\n")
    like = ("--like", str(tmp_path / "sample.csv"), "--id-column", "image_id", "--out", str(tmp_path / "s.csv"))
    assert run(*TASK_2, *like).exit_code == 0
    header, row = (tmp_path / "s.csv").read_text().splitlines()
    assert header == columns and row.split(",")[2] == "A-000006"


def test_a_submission_of_the_phantom_is_checked_and_is_the_same_bytes_again(tmp_path: Path, wording: Wording) -> None:
    out = tmp_path / "s.zip"
    result = run(*TASK_2, "--out", str(out))
    assert result.exit_code == 0, result.stderr
    wording(line_with(result.stdout, "s.zip", "task 2", "2,000 images", "6 findings"))
    wording(line_with(result.stdout, "the organizers"))
    first = out.read_bytes()
    run(*TASK_2, "--out", str(out))
    assert out.read_bytes() == first and zipfile.ZipFile(out).namelist() == ["submission.csv"]
    assert [path.name for path in tmp_path.iterdir()] == ["s.zip"]
    with zipfile.ZipFile(out) as packed:
        (tmp_path / "sample.csv").write_bytes(packed.read("submission.csv"))
    assert run("check", "--scores", str(out), "--like", str(tmp_path / "sample.csv")).exit_code == 0


def test_a_file_that_is_not_as_it_should_be_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Submission.text
    monkeypatch.setattr(Submission, "text", lambda made: text(made).replace("A-000006,", "A-000006,7", 1))
    out = tmp_path / "s.csv"
    out.write_text("before")
    result = run(*TASK_2, "--out", str(out))
    assert (result.exit_code, out.read_text()) == (1, "before")
    assert "is not from 0 to 1" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["s.csv"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--cohort", "phantm"), "phantom"),
        (("--model", "fantom"), "Did you mean phantom?"),
        (("--task", "3"), "--task"),
        (("--out", "none/s.zip"), "folder none"),
        (("--like", "none.csv"), "cannot be read"),
    ],
)
def test_wrong_input_ends_with_2(tmp_path: Path, words: tuple[str, str], told: str) -> None:
    result = run(*TASK_2, "--out", str(tmp_path / "s.zip"), *words)
    assert result.exit_code == 2 and told in result.stderr
    assert not list(tmp_path.iterdir())
