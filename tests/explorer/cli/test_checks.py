"""What is wrong with a submission is told by line and image, and how the command ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explorer.cli.command import LABELS, SCORES, evaluated, files, run
from tests.support.wording import Wording, line_with

COMMANDS = ("check", "evaluate")


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("scores", "c,0.3,0.6,0.2\n", "", "line 4, image 'c'"),
        ("labels", "c,north,p2,0,1,0\n", "", "line 5, image 'c'"),
        ("scores", "c,0.3", "d,0.3", "line 5, image 'd'"),
        ("scores", "Mass", "Nodule", "scores.csv, line 1"),
        ("scores", "Pneumothorax", "Pnuemothorax", "1: the column 'Pnuemothorax'"),
        ("scores", "Mass", "pneumothorax", "columns 'pneumothorax' and 'Pneumothorax'"),
        ("scores", "0.9", "1.2", "the score 1.2"),
        ("scores", "0.9", "-0.1", "the score -0.1"),
        ("scores", "0.9", "inf", "the score inf"),
        ("scores", "0.9", "nan", "no score: 'nan'"),
        ("scores", "0.9", "high", "'high' is not"),
        ("scores", "0.9", "0_1", "'0_1' is not"),
        ("scores", "0.9", "", "line 7, image 'a'"),
        ("scores", "a,0.1,0.9,0.2", "a,0.1,0.9", "3 cells"),
        ("scores", "a,0.1,0.9,0.2", ",0.1,0.9,0.2", "scores.csv, line 7"),
        (
            "labels",
            "p2,0,1,0",
            "p2,0,maybe,0",
            "'maybe'",
        ),
        ("labels", "p2,0,1,0", "p2,0,2,0", "Mass: '2'"),
    ],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_problem_is_told_with_its_line_and_image(
    tmp_path: Path, command: str, file: str, old: str, new: str, told: str, wording: Wording
) -> None:
    texts = {"labels": LABELS, "scores": SCORES}
    assert old in texts[file]
    texts[file] = texts[file].replace(old, new)
    result = run(command, *files(tmp_path, **texts))
    assert result.exit_code == 1
    assert told in result.stderr
    wording(line_with(result.stderr, told))
    assert result.stdout == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_several_rows_of_labels_of_one_image_are_united_as_ingest_does(
    tmp_path: Path, command: str, wording: Wording
) -> None:
    """One row for each box: what any of them says is there, is there; what only one says of the film counts."""
    twice = LABELS + "a,north,p1,0,,1\nc,,p2,0,0,0\nb,north,p1,0,0,0\n"
    options = ("--center-column", "center", "--patient-column", "patient")
    result = run(command, *files(tmp_path, twice), *options)
    assert result.exit_code == 0
    wording(line_with(result.stderr, "labels.csv", "6 rows", "3 images", "2", "8"))
    alone = LABELS.replace("a,north,p1,0,1,0", "a,north,p1,0,1,1")
    assert run(command, *files(tmp_path, alone), *options).stdout == result.stdout
    other = run(command, *files(tmp_path, LABELS + "a,south,p1,0,1,0\n"), *options)
    assert other.exit_code == 1
    wording(line_with(other.stderr, "8", "'a'", "'center'", "'south'", "2"))


@pytest.mark.parametrize("command", COMMANDS)
def test_scores_that_hardly_anybody_means_are_told_and_used(tmp_path: Path, command: str, wording: Wording) -> None:
    labels = "image_id,Mass,Nodule,Pneumothorax\n" + "".join(f"i{k:02},{k % 2},{k % 2},{k % 2}\n" for k in range(40))
    scores = "image_id,Mass,Nodule,Pneumothorax\n" + "".join(
        f"i{k:02},{0.9 - 0.8 * (k % 2) + k / 1000:.4f},{k % 3 // 2},0.25\n" for k in range(40)
    )
    result = run(command, *files(tmp_path, labels, scores))
    assert result.exit_code == 0
    wording(line_with(result.stderr, "AUROC", "Mass 0.00", "20"))
    wording(line_with(result.stderr, "Nodule", "0", "1"))
    wording(line_with(result.stderr, "Pneumothorax"))
    plain = "image_id,Mass,Nodule,Pneumothorax\n" + "".join(
        f"i{k:02},{0.4 + 0.3 * (k % 2) - k / 100:.4f},{k / 50:.4f},{1 - k / 50:.4f}\n" for k in range(40)
    )
    assert run(command, *files(tmp_path, labels, plain)).stderr == ""


def test_check_all_lists_each_problem_and_without_it_a_kind_is_one_line(tmp_path: Path, wording: Wording) -> None:
    labels = "image_id,Mass\n" + "".join(f"i{k},0\n" for k in range(1234))
    scores = "image_id,Mass\n" + "".join(f"i{k},7\n" for k in range(1234))
    for command in COMMANDS:
        result = run(command, *files(tmp_path, labels, scores))
        assert result.exit_code == 1
        assert len(result.stderr.splitlines()) == 2
        wording(result.stderr.splitlines(), "1,234 problems", "scores.csv", "1,234 scores", "0", "'i0'")
    everything = run("check", "--all", *files(tmp_path, labels, scores)).stderr.splitlines()
    wording(everything[1], "scores.csv", "2", "'i0'", "7", "1")
    assert len(everything) == 1 + 1234


def test_evaluate_lists_twenty_lines_and_their_count(tmp_path: Path) -> None:
    """Columns of one word each are no kind that can be told in a line: every name matters."""
    names = [f"word{k}" for k in range(5)]
    labels = "image_id,center,Mass\n" + "".join(f"i{k},c\x1b{k},0\n" for k in range(40))
    scores = f"image_id,Mass,{','.join(names)}\n" + "".join(f"i{k},0.5,0,0,0,0,0\n" for k in range(40))
    options = (*files(tmp_path, labels, scores), *CENTER)
    lines = run("evaluate", *options).stderr.splitlines()
    assert (lines[0], len(lines), lines[-1]) == ("45 problems found:", 22, "and 25 more")
    assert len(run("check", *options).stderr.splitlines()) == 1 + 45


def test_problems_of_both_files_are_told_at_once(tmp_path: Path) -> None:
    result = run("check", *files(tmp_path, LABELS.replace("p2,0,1,0", "p2,0,x,0"), SCORES.replace("0.9", "9")))
    assert result.stderr.startswith("2 problems found:\n")


@pytest.mark.slow
@given(
    row=st.integers(0, 5),
    column=st.integers(1, 3),
    bad=st.one_of(
        st.floats(min_value=1, exclude_min=True).map(str),
        st.floats(max_value=0, exclude_max=True).map(str),
        st.sampled_from(["nan", "NaN", "", " ", "0,5", "1e", "0x1", "½", "٠٫٥"]),
    ),
)
def test_any_bad_score_is_found_where_it_is(
    tmp_path_factory: pytest.TempPathFactory, row: int, column: int, bad: str
) -> None:
    lines = SCORES.splitlines()
    cells = lines[row + 1].split(",")
    cells[column] = f'"{bad}"'
    lines[row + 1] = ",".join(cells)
    result = run("check", *files(tmp_path_factory.mktemp("bad"), scores="\n".join(lines)))
    assert result.exit_code == 1
    assert result.stderr.startswith("1 problem found:\n")
    assert f"scores.csv, line {row + 2}, image {cells[0]!r}: {lines[0].split(',')[column]}: " in result.stderr


def test_lines_are_counted_as_an_editor_counts_them(tmp_path: Path, wording: Wording) -> None:
    scores = SCORES.replace("f,0.5", '\n"f",0.5').replace("0.9", "9").replace("\n", "\r\n")
    wording(line_with(run("check", *files(tmp_path, scores=scores)).stderr, "scores.csv", "8", "'a'"))


def test_a_patient_and_a_center_are_checked_where_they_are_asked_for(tmp_path: Path, wording: Wording) -> None:
    options = files(tmp_path, LABELS.replace("south,p3", ",").replace("p2", ""))
    assert run("check", *options).exit_code == 0
    result = run("check", *options, "--patient-column", "patient")
    assert result.exit_code == 1
    wording(line_with(result.stderr, "labels.csv", "4", "'patient'"))
    assert run("check", *options, "--center-column", "center").exit_code == 0
    assert "'\\x1b[31m'" in run("check", *files(tmp_path, LABELS.replace("south", "\x1b[31m")), *CENTER).stderr


CENTER = ("--center-column", "center")


@pytest.mark.parametrize(
    ("labels", "scores", "words", "told"),
    [
        (
            LABELS,
            SCORES,
            ("--id-column", "image"),
            "column 'image'",
        ),
        (LABELS, SCORES, ("--center-column", "site"), "column 'site'"),
        (LABELS, SCORES.replace("Mass", "image_id"), (), "2 columns 'image_id'"),
        (LABELS.replace(",", "~"), SCORES, (), "column 'image_id'"),
        (
            LABELS.replace(",", ";").replace("image_id", "image"),
            SCORES,
            (),
            "are 'image', 'center'",
        ),
        (LABELS, "", (), "scores.csv is empty"),
        (LABELS, "image_id,Mass\n", (), "header and no rows"),
        (LABELS, "image_id,x\na,1\n", (), "columns, separated by commas, are 'image_id', 'x'"),
        (
            LABELS,
            SCORES.replace("a,0.1", 'a,"0.1"x'),
            (),
            "scores.csv, line 7",
        ),
        (
            LABELS.replace("north", "x" * 10_000_001, 1),
            SCORES,
            (),
            "over 10,000,000 characters",
        ),
    ],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_cannot_be_used_at_all_ends_with_2(
    tmp_path: Path, command: str, labels: str, scores: str, words: tuple[str, ...], told: str, wording: Wording
) -> None:
    result = run(command, *files(tmp_path, labels, scores), *words)
    assert result.exit_code == 2
    assert told in result.stderr
    wording(line_with(result.stderr, told))
    assert len(result.stderr.splitlines()) == 1


def test_a_file_that_cannot_be_read_ends_with_2(tmp_path: Path, wording: Wording) -> None:
    options = files(tmp_path)
    gone = run("check", "--labels", str(tmp_path / "gone.csv"), *options[2:])
    assert gone.exit_code == 2
    wording(line_with(gone.stderr, "gone.csv"))
    folder = run("check", "--labels", str(tmp_path), *options[2:])
    assert (folder.exit_code, "Is a directory" in folder.stderr) == (2, True)
    (tmp_path / "labels.csv").write_bytes("image_id,Mass\né,1\n".encode("latin-1"))
    latin = run("check", *options)
    assert latin.exit_code == 2
    wording(line_with(latin.stderr, "UTF-8"))


def test_an_identifier_met_at_two_centers_is_counted_and_one_patient_unless_told_otherwise(
    tmp_path: Path, wording: Wording
) -> None:
    words = files(tmp_path, LABELS.replace("south,p3", "south,p1"))
    words += ("--center-column", "center", "--patient-column", "patient")
    assert evaluated(*words)["patients"] == 3
    assert evaluated(*words, "--patients-per-center")["patients"] == 4
    for command in ("check", "evaluate"):
        done = run(command, *words)
        wording(line_with(done.stderr, "labels.csv", "1 patient", "--patients-per-center"))
        wording(line_with(run(command, *words, "--patients-per-center").stderr, "labels.csv", "1 patient"))
        alone = run(command, *words[:-2], "--patients-per-center")
        assert alone.exit_code == 2 and "needs --patient-column" in " ".join(alone.stderr.split())


def test_blanks_around_the_name_of_a_center_are_no_part_of_it(tmp_path: Path) -> None:
    labels = "image_id,center,Mass\n" + "".join(f"i{k},c{' ' * k}\t,{k % 2}\n" for k in range(51))
    scores = "image_id,Mass\n" + "".join(f"i{k},0.5\n" for k in range(51))
    assert run("check", *files(tmp_path, labels, scores), *CENTER).exit_code == 0


def test_a_column_of_many_values_is_no_column_of_centers(tmp_path: Path) -> None:
    labels = "image_id,center,Mass\n" + "".join(f"i{k},c{k},0\n" for k in range(51))
    scores = "image_id,Mass\n" + "".join(f"i{k},0.5\n" for k in range(51))
    result = run("check", *files(tmp_path, labels, scores), *CENTER)
    assert (result.exit_code, "has 51 different values" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    "words",
    [
        ("--threshold", "1.5"),
        ("--threshold", "nan"),
        ("--resamples", "0"),
        ("--resamples", "many"),
        ("--seed", "-1"),
        ("--groups", "mine"),
        ("--uncertain", "drop"),
        ("--format", "html"),
        ("--colour",),
    ],
    ids=" ".join,
)
def test_a_wrong_option_ends_with_2_and_is_named(tmp_path: Path, words: tuple[str, ...]) -> None:
    result = run("evaluate", *files(tmp_path), *words)
    assert result.exit_code == 2
    assert words[0] in result.stderr


def test_a_good_submission_passes(tmp_path: Path) -> None:
    result = run("check", *files(tmp_path))
    assert (result.exit_code, result.stdout) == (0, "No problems: 6 images, 3 findings.\n")


def test_columns_are_matched_by_other_words_and_that_is_told(tmp_path: Path, wording: Wording) -> None:
    """A byte order mark, as spreadsheets write it, is no part of the first column's name."""
    labels = "\ufeffimage_id,No Finding,effusion,Lung Opacity,age\na,1,0,0,50\nb,0,1,1,60\n"
    scores = "image_id,Pleural_Effusion,Normal,lung opacity,Mass\na,0.1,0.2,0.3,0.4\nb,0.1,0.2,0.3,0.4\n"
    result = run("check", *files(tmp_path, labels, scores))
    assert (result.exit_code, result.stdout) == (0, "No problems: 2 images, 3 findings.\n")
    assert len(result.stderr.splitlines()) == 6
    wording(result.stderr.splitlines(), "labels.csv", "'No Finding'", "Normal", "'effusion'", "Pleural Effusion")
