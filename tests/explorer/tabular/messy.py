"""Files as people have them: one small cohort, written in many ways."""

from __future__ import annotations

import csv

from tests.explorer.tabular.messy_refused import REFUSED
from tests.explorer.tabular.messy_writing import Messy, cells, comma, named, words, written
from tests.explorer.tabular.small_tables import LABELS, SCORES

FINDINGS = "3 columns ('Normal', 'Mass', 'Pleural Effusion')"

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
    Messy("semicolons", written(LABELS, ";"), None, ("labels.csv: ... semicolons",)),
    Messy("tabs", None, written(SCORES, "\t"), ("scores.csv: ... tabs",)),
    Messy("pipes", written(LABELS, "|"), None, ("labels.csv: ... pipes",)),
    Messy("colons", None, written(SCORES, ":"), ("scores.csv: ... colons",)),
    Messy(
        "a title above the header",
        "Labels of the test films,,,,,,\n\n" + written(LABELS),
        None,
        ("labels.csv: 1 line ... 'Labels of the test films'",),
    ),
    Messy("labels as a program prints them", written(words(LABELS, one="1.00", zero="+0", minus="-1.00e+00"))),
    Messy(
        "a long report",
        written([[*row, "No finding. " * 20_000 if k else "report"] for k, row in enumerate(LABELS)]),
        None,
        ("labels.csv: ... 'report'",),
    ),
    Messy("separator declared", "sep=;\r\n" + written(LABELS, ";", "\r\n"), None, ("labels.csv: ... semicolons",)),
    Messy("UTF-16", written(LABELS).encode("utf-16"), None, ("labels.csv: ... UTF-16",)),
    Messy(
        "UTF-16 without a mark",
        None,
        written(SCORES).encode("utf-16-le"),
        ("scores.csv: ... UTF-16 ... mark",),
    ),
    Messy(
        "decimal commas",
        None,
        written(cells(SCORES, comma)),
        ("scores.csv: 13 numbers ... comma ... point",),
    ),
    Messy(
        "decimal commas of weights",
        written(cells(LABELS, comma, 3)),
        None,
        ("labels.csv: 3 numbers ... comma ... point",),
    ),
    Messy(
        "labels with a comma",
        written(words(LABELS, one="1,0", zero="0,0", minus="-1,0")),
        None,
        (
            "labels.csv: '1,0' ... 1 ... '0,0' ... 0 ... '-1,0' ... -1 ... 'Normal'",
            "labels.csv: '1,0' ... 1 ... '0,0' ... 0 ... 2 columns ('Mass', 'Pleural Effusion')",
        ),
    ),
    Messy(
        "Yes and No",
        written(words(LABELS, one="Yes", zero="No")),
        None,
        (f"labels.csv: 'yes' ... 1 ... 'no' ... 0 ... {FINDINGS}",),
    ),
    Messy(
        "TRUE and FALSE",
        written(words(LABELS, one="TRUE", zero="FALSE")),
        None,
        (f"labels.csv: 'true' ... 1 ... 'false' ... 0 ... {FINDINGS}",),
    ),
    Messy(
        "positive and negative",
        written(words(LABELS, one="positive", zero="negative")),
        None,
        (f"labels.csv: 'positive' ... 1 ... 'negative' ... 0 ... {FINDINGS}",),
    ),
    Messy(
        "NA for blank",
        written(words(LABELS, blank="NA")),
        None,
        ("labels.csv: 'na' ... blank ... 'Mass' (1 blank)",),
    ),
    Messy(
        "None for blank",
        written(words(LABELS, blank="None")),
        None,
        ("labels.csv: 'none' ... blank ... 'Mass' (1 blank)",),
    ),
    Messy(
        "file endings",
        None,
        written(cells(SCORES, lambda cell: f"{cell}.png", 0)),
        ("scores.csv: ... 'e5.png' is 'e5' of labels.csv (5 images",),
    ),
    Messy(
        "folders",
        written(cells(LABELS, lambda cell: f"films/{cell}", 0)),
        None,
        ("scores.csv: ... folders: 'e5' is 'films/e5' of labels.csv (5 images",),
    ),
    Messy(
        "folders of another system and endings",
        None,
        written(cells(SCORES, lambda cell: f"C:\\films\\{cell}.DCM", 0)),
        ("scores.csv: ... folders ... endings: 'C:\\\\films\\\\e5.DCM' is 'e5' of labels.csv (5 images",),
    ),
    Messy(
        "blanks around names",
        None,
        written(cells(SCORES, lambda cell: f" {cell}", 0)),
        ("scores.csv: ... blanks ... ' e5' is 'e5' of labels.csv (5 images",),
    ),
    Messy(
        "index without a name",
        None,
        written([[str(k - 1) if k else "", *row] for k, row in enumerate(SCORES)]),
        ("scores.csv: column 1 ... index",),
    ),
    Messy(
        "index that was read again",
        None,
        written([[str(k - 1) if k else "Unnamed: 0", *row] for k, row in enumerate(SCORES)]),
        ("scores.csv: column 1 ... index",),
    ),
    Messy(
        "empty columns at the end",
        None,
        written([[*row, "", ""] for row in SCORES]),
        ("scores.csv: 2 empty columns",),
    ),
    Messy(
        "empty cells beyond the header",
        None,
        written([SCORES[0], *([*row, "", ""] for row in SCORES[1:])]),
        ("scores.csv: empty cells ... 5 rows",),
    ),
    Messy(
        "rows without a cell",
        None,
        written([*SCORES, ["", "", "", ""], ["", "", "", ""]]),
        ("scores.csv: 2 rows",),
    ),
    Messy(
        "other words for findings",
        written(named(LABELS, "Normal", "No_Finding")),
        None,
        ("labels.csv: ... 'No_Finding' ... Normal",),
    ),
    Messy(
        "as a German spreadsheet writes it",
        written(cells(LABELS, comma, 3), ";", "\r\n").encode("utf-8-sig"),
        written(cells(SCORES, comma), ";", "\r\n").encode("utf-16"),
        (
            "labels.csv: ... semicolons",
            "labels.csv: 3 numbers ... comma ... point",
            "scores.csv: ... UTF-16",
            "scores.csv: ... semicolons",
            "scores.csv: 13 numbers ... comma ... point",
        ),
    ),
    Messy(
        "patients that a spreadsheet rounded",
        written(cells(LABELS, lambda cell: "3.24E+38", 2)),
        None,
        ("labels.csv: 5 patients ... rounded ... '3.24E+38' in line 2 ... resampled",),
    ),
    *REFUSED,
)
