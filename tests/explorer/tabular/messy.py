"""Files as people have them: one small cohort, written in many ways."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass

from tests.explorer.tabular.small_tables import LABELS, LOGITS, SCORES, Grid


def written(grid: Grid, separator: str = ",", ends: str = "\n", quoting: int = csv.QUOTE_MINIMAL) -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=separator, lineterminator=ends, quoting=quoting).writerows(grid)
    return file.getvalue()


def cells(grid: Grid, change: Callable[[str], str], columns: slice | int = slice(1, None)) -> Grid:
    """The grid with other cells below the header, in some columns."""
    header, *rows = [list(row) for row in grid]
    chosen = range(len(header))[columns] if isinstance(columns, slice) else [columns]
    for row in rows:
        for place in chosen:
            row[place] = change(row[place])
    return [header, *rows]


def named(grid: Grid, old: str, new: str) -> Grid:
    return [[new if cell == old else cell for cell in grid[0]], *grid[1:]]


def comma(cell: str) -> str:
    return cell.replace(".", ",")


@dataclass(frozen=True)
class Messy:
    """Two files. `notes` is what is said of them, in order; or `refused` is what the refusal says."""

    name: str
    labels: str | bytes | None = None  # None: as they should be
    scores: str | bytes | None = None
    notes: tuple[str, ...] = ()
    refused: str = ""
    logits: bool = False


def words(grid: Grid, **said: str) -> Grid:
    """Labels as words: one, zero, minus and blank, by name."""
    meant = {"1": said.get("one", "1"), "0": said.get("zero", "0"), "-1": said.get("minus", "-1")}
    return cells(grid, lambda cell: meant.get(cell, said.get("blank", "")), slice(4, None))


FINDINGS = "3 columns ('Normal', 'Mass', 'Pleural Effusion')"
SEMICOLONS, TABS = "cells are separated by semicolons", "cells are separated by tabs"
ENDINGS = "images are compared without file endings: 'e5.png' is 'e5' of labels.csv (5 images found so)"

MESSY = (
    # Nothing to say: any reader of CSV takes these for what they are.
    Messy("mark of byte order", written(LABELS).encode("utf-8-sig"), written(SCORES).encode("utf-8-sig")),
    Messy("DOS line ends", written(LABELS, ends="\r\n"), written(SCORES, ends="\r\n")),
    Messy("old Mac line ends", written(LABELS, ends="\r"), written(SCORES, ends="\r")),
    Messy("every cell quoted", written(LABELS, quoting=csv.QUOTE_ALL), written(SCORES, quoting=csv.QUOTE_ALL)),
    Messy("rows and columns in another order", written([row[:4] + row[:3:-1] for row in [LABELS[0], *LABELS[:0:-1]]])),
    Messy("blank lines", written(LABELS, ends="\n\n"), written(SCORES, ends="\n\n")),
    Messy("labels with a point", written(words(LABELS, one="1.0", zero="0.0", minus="-1.0"))),
    # One thing to say.
    Messy("semicolons", written(LABELS, ";"), None, (f"labels.csv: {SEMICOLONS}",)),
    Messy("tabs", None, written(SCORES, "\t"), (f"scores.csv: {TABS}",)),
    Messy("pipes", written(LABELS, "|"), None, ("labels.csv: cells are separated by pipes",)),
    Messy("colons", None, written(SCORES, ":"), ("scores.csv: cells are separated by colons",)),
    Messy(
        "a title above the header",
        "Labels of the test films,,,,,,\n\n" + written(LABELS),
        None,
        ("labels.csv: 1 line above the header passed over: 'Labels of the test films'",),
    ),
    Messy("labels as a program prints them", written(words(LABELS, one="1.00", zero="+0", minus="-1.00e+00"))),
    Messy(
        "a long report",
        written([[*row, "No finding. " * 20_000 if k else "report"] for k, row in enumerate(LABELS)]),
        None,
        ("labels.csv: not used, because no finding has this name: 'report'",),
    ),
    Messy("separator declared", "sep=;\r\n" + written(LABELS, ";", "\r\n"), None, (f"labels.csv: {SEMICOLONS}",)),
    Messy("UTF-16", written(LABELS).encode("utf-16"), None, ("labels.csv: read as UTF-16",)),
    Messy(
        "UTF-16 without a mark",
        None,
        written(SCORES).encode("utf-16-le"),
        ("scores.csv: read as UTF-16, though it has no mark that says so",),
    ),
    Messy(
        "decimal commas",
        None,
        written(cells(SCORES, comma)),
        ("scores.csv: 13 numbers with a decimal comma, read as with a point",),
    ),
    Messy(
        "decimal commas of weights",
        written(cells(LABELS, comma, 3)),
        None,
        ("labels.csv: 3 numbers with a decimal comma, read as with a point",),
    ),
    Messy(
        "labels with a comma",
        written(words(LABELS, one="1,0", zero="0,0", minus="-1,0")),
        None,
        (
            "labels.csv: '1,0' is read as 1, '0,0' is read as 0 and '-1,0' is read as -1 in the column 'Normal'",
            "labels.csv: '1,0' is read as 1 and '0,0' is read as 0 in 2 columns ('Mass', 'Pleural Effusion')",
        ),
    ),
    Messy(
        "Yes and No",
        written(words(LABELS, one="Yes", zero="No")),
        None,
        (f"labels.csv: 'yes' is read as 1 and 'no' is read as 0 in {FINDINGS}",),
    ),
    Messy(
        "TRUE and FALSE",
        written(words(LABELS, one="TRUE", zero="FALSE")),
        None,
        (f"labels.csv: 'true' is read as 1 and 'false' is read as 0 in {FINDINGS}",),
    ),
    Messy(
        "positive and negative",
        written(words(LABELS, one="positive", zero="negative")),
        None,
        (f"labels.csv: 'positive' is read as 1 and 'negative' is read as 0 in {FINDINGS}",),
    ),
    Messy(
        "NA for blank",
        written(words(LABELS, blank="NA")),
        None,
        ("labels.csv: 'na' is read as blank in the column 'Mass' (1 blank)",),
    ),
    Messy(
        "None for blank",
        written(words(LABELS, blank="None")),
        None,
        ("labels.csv: 'none' is read as blank in the column 'Mass' (1 blank)",),
    ),
    Messy("file endings", None, written(cells(SCORES, lambda cell: f"{cell}.png", 0)), (f"scores.csv: {ENDINGS}",)),
    Messy(
        "folders",
        written(cells(LABELS, lambda cell: f"films/{cell}", 0)),
        None,
        ("scores.csv: images are compared without folders: 'e5' is 'films/e5' of labels.csv (5 images found so)",),
    ),
    Messy(
        "folders of another system and endings",
        None,
        written(cells(SCORES, lambda cell: f"C:\\films\\{cell}.DCM", 0)),
        (
            "scores.csv: images are compared without folders and file endings: 'C:\\\\films\\\\e5.DCM' is 'e5' of "
            "labels.csv (5 images found so)",
        ),
    ),
    Messy(
        "blanks around names",
        None,
        written(cells(SCORES, lambda cell: f" {cell}", 0)),
        (
            "scores.csv: images are compared without blanks around them: ' e5' is 'e5' of labels.csv "
            "(5 images found so)",
        ),
    ),
    Messy(
        "index without a name",
        None,
        written([[str(k - 1) if k else "", *row] for k, row in enumerate(SCORES)]),
        ("scores.csv: column 1 has no name and counts the rows: left out as an index",),
    ),
    Messy(
        "index that was read again",
        None,
        written([[str(k - 1) if k else "Unnamed: 0", *row] for k, row in enumerate(SCORES)]),
        ("scores.csv: column 1 has no name and counts the rows: left out as an index",),
    ),
    Messy(
        "empty columns at the end",
        None,
        written([[*row, "", ""] for row in SCORES]),
        ("scores.csv: 2 empty columns without a name left out",),
    ),
    Messy(
        "empty cells beyond the header",
        None,
        written([SCORES[0], *([*row, "", ""] for row in SCORES[1:])]),
        ("scores.csv: empty cells beyond the header left out in 5 rows",),
    ),
    Messy(
        "rows without a cell",
        None,
        written([*SCORES, ["", "", "", ""], ["", "", "", ""]]),
        ("scores.csv: 2 rows without a single filled cell passed over",),
    ),
    Messy(
        "other words for findings",
        written(named(LABELS, "Normal", "No_Finding")),
        None,
        ("labels.csv: the column 'No_Finding' is read as Normal",),
    ),
    Messy(
        "as a German spreadsheet writes it",
        written(cells(LABELS, comma, 3), ";", "\r\n").encode("utf-8-sig"),
        written(cells(SCORES, comma), ";", "\r\n").encode("utf-16"),
        (
            f"labels.csv: {SEMICOLONS}",
            "labels.csv: 3 numbers with a decimal comma, read as with a point",
            "scores.csv: read as UTF-16",
            f"scores.csv: {SEMICOLONS}",
            "scores.csv: 13 numbers with a decimal comma, read as with a point",
        ),
    ),
    Messy(
        "patients that a spreadsheet rounded",
        written(cells(LABELS, lambda cell: "3.24E+38", 2)),
        None,
        (
            "labels.csv: 5 patients are numbers that a spreadsheet has rounded, such as '3.24E+38' in line 2: patients "
            "are not told apart, images are resampled one by one",
        ),
    ),
    # Refused, in a sentence.
    Messy(
        "a quotation mark that is not closed",
        written(LABELS).replace("north,p1,0.5", 'north,"p1,0.5'),
        refused="labels.csv: a quotation mark that opens in line 3 is not closed before the file ends. Close it, or",
    ),
    Messy(
        "a quotation mark within a cell",
        written(LABELS).replace("north,p1,0.5", 'north,"p"1,0.5'),
        refused="labels.csv, line 3: something else than comma or line end follows a closing quotation mark. Write a",
    ),
    Messy(
        "a finding without scores",
        None,
        written(cells(SCORES, lambda cell: "nan", 2)),
        refused="Mass: no score: 'nan'. No image has a score in 'Mass': --not-finding 'Mass' leaves it out",
    ),
    Messy(
        "an image without a score",
        None,
        written(SCORES).replace("e5,0.5,0.125", "e5,0.5,"),
        refused="image 'e5': Mass: no score. Score these images, or leave them out of both files; --not-finding NAME",
    ),
    Messy(
        "patients without a name",
        written(cells(LABELS, lambda cell: "nan" if cell == "p4" else cell, 2)),
        refused="image 'e5': the column 'patient' is 'nan', which names nobody",
    ),
    Messy(
        "images without a name",
        written(cells(LABELS, lambda cell: "NaN" if cell == "e5" else cell, 0)),
        refused="labels.csv, line 6: no image id: 'NaN'",
    ),
    Messy(
        "Latin-1", written(cells(LABELS, lambda _: "Köln", 1)).encode("latin-1"), refused="is not text in UTF-8: line"
    ),
    Messy("a spreadsheet", b"PK\x03\x04rest", refused="labels.csv is a spreadsheet or a ZIP. Save the sheet as CSV"),
    Messy("compressed", None, b"\x1f\x8brest", refused="scores.csv is compressed. Unpack it first"),
    Messy("empty", "", refused="labels.csv is empty"),
    Messy(
        "images that a spreadsheet rounded",
        written(cells(LABELS, lambda cell: "1.2E+17", 0)),
        refused="5 image ids are numbers that a spreadsheet has rounded, such as '1.2E+17' in line 2: they name no",
    ),
    Messy(
        "logits",
        None,
        written(LOGITS),
        refused="scores.csv: 12 scores that are not from 0 to 1. First: line 2, image 'e5': Mass: the score -1.9 is",
    ),
    Messy(
        "logits and what to add",
        None,
        written(LOGITS),
        refused="All numbers go from -7.5 to 6.25, as logits do: add --logits",
    ),
    Messy("scores taken for logits", None, None, refused="these are scores already. Leave out --logits", logits=True),
    Messy(
        "percentages",
        None,
        written(cells(SCORES, lambda cell: str(100 * float(cell)))),
        refused="All numbers go from 0 to 100: if they are percentages, divide them by 100",
    ),
    Messy(
        "zeros that a spreadsheet took away",
        written(cells(LABELS, lambda cell: f"00{cell[1]}", 0)),
        written(cells(SCORES, lambda cell: cell[1], 0)),
        refused="image '1': the image is not in labels.csv. A spreadsheet has taken zeros off the front of names",
    ),
    Messy(
        "images in a column without a name",
        None,
        written(named(SCORES, "image_id", "")),
        refused="Name one of these. Its first column has no name: give it one in the header.",
    ),
    Messy("points and commas", None, written(cells(SCORES, comma, 1)), refused="Normal: '0,5' is not a number"),
    Messy(
        "decimal commas between commas",
        None,
        "\n".join([",".join(SCORES[0]), *(",".join(map(comma, row)) for row in SCORES[1:])]) + "\n",
        refused="6 cells where the header has 4. Numbers with decimal commas need semicolons or tabs between cells",
    ),
    Messy(
        "words and numbers in a column",
        written(LABELS).replace("e5,south,p4,1,-1,0,0", "e5,south,p4,1,no,0,0"),
        refused="Normal: 'no' is not a label",
    ),
    Messy(
        "two columns of one name",
        None,
        written(named(SCORES, "Effusion", "Mass")),
        refused="the columns 'Mass' and 'Mass' both are Mass: columns 3 and 4. Take one out",
    ),
    Messy(
        "a column that lost its name",
        None,
        written(named(SCORES, "Effusion", "")),
        refused="the column 'column 4, without a name' is not a finding",
    ),
    Messy(
        "names that become one without folders",
        written(cells(LABELS, lambda cell: f"{cell}/film.png", 0)),
        written(cells(SCORES, lambda cell: f"{cell}/film", 0)[:3] + SCORES[3:]),
        refused="labels.csv, line 2, image 'a1/film.png': the image is not in scores.csv",
    ),
)
