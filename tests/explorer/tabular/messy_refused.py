"""Files that cannot be read for sure, and what their refusals say."""

from __future__ import annotations

from tests.explorer.tabular.messy_writing import Messy, cells, comma, named, written
from tests.explorer.tabular.small_tables import LABELS, LOGITS, SCORES

REFUSED = (
    Messy(
        "an unclosed quotation mark",
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
        "image ids rounded by a spreadsheet",
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
        "logits without --logits",
        None,
        written(LOGITS),
        refused="All numbers go from -7.5 to 6.25, as logits do: add --logits",
    ),
    Messy("scores given as logits", None, None, refused="these are scores already. Leave out --logits", logits=True),
    Messy(
        "percentages",
        None,
        written(cells(SCORES, lambda cell: str(100 * float(cell)))),
        refused="All numbers go from 0 to 100: if they are percentages, divide them by 100",
    ),
    Messy(
        "leading zeros removed by a spreadsheet",
        written(cells(LABELS, lambda cell: f"00{cell[1]}", 0)),
        written(cells(SCORES, lambda cell: cell[1], 0)),
        refused="image '1': the image is not in labels.csv. A spreadsheet has taken zeros off the front of names",
    ),
    Messy(
        "an image column without a name",
        None,
        written(named(SCORES, "image_id", "")),
        refused="Name one of these. Its first column has no name: give it one in the header.",
    ),
    Messy(
        "both points and commas in numbers",
        None,
        written(cells(SCORES, comma, 1)),
        refused="Normal: '0,5' is not a number",
    ),
    Messy(
        "decimal commas in a comma-separated file",
        None,
        "\n".join([",".join(SCORES[0]), *(",".join(map(comma, row)) for row in SCORES[1:])]) + "\n",
        refused="6 cells where the header has 4. Numbers with decimal commas need semicolons or tabs between cells",
    ),
    Messy(
        "words and numbers in one column",
        written(LABELS).replace("e5,south,p4,1,-1,0,0", "e5,south,p4,1,no,0,0"),
        refused="Normal: 'no' is not a label",
    ),
    Messy(
        "two columns with the same name",
        None,
        written(named(SCORES, "Effusion", "Mass")),
        refused="the columns 'Mass' and 'Mass' both are Mass: columns 3 and 4. Take one out",
    ),
    Messy(
        "a column without a name",
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
