"""Files that cannot be read for sure, and what their refusals say."""

from __future__ import annotations

from tests.explorer.tabular.messy_writing import Messy, cells, comma, named, written
from tests.explorer.tabular.small_tables import LABELS, LOGITS, SCORES

REFUSED = (
    Messy(
        "an unclosed quotation mark",
        written(LABELS).replace("north,p1,0.5", 'north,"p1,0.5'),
        refused="labels.csv: ... quotation mark ... line 3 ... not closed",
    ),
    Messy(
        "a quotation mark within a cell",
        written(LABELS).replace("north,p1,0.5", 'north,"p"1,0.5'),
        refused="labels.csv, line 3: ... comma ... closing quotation mark",
    ),
    Messy(
        "a finding without scores",
        None,
        written(cells(SCORES, lambda cell: "nan", 2)),
        refused="Mass: no score: 'nan' ... --not-finding 'Mass'",
    ),
    Messy(
        "an image without a score",
        None,
        written(SCORES).replace("e5,0.5,0.125", "e5,0.5,"),
        refused="image 'e5': Mass: no score ... --not-finding NAME",
    ),
    Messy(
        "patients without a name",
        written(cells(LABELS, lambda cell: "nan" if cell == "p4" else cell, 2)),
        refused="image 'e5': ... 'patient' is 'nan'",
    ),
    Messy(
        "images without a name",
        written(cells(LABELS, lambda cell: "NaN" if cell == "e5" else cell, 0)),
        refused="labels.csv, line 6: no image id: 'NaN'",
    ),
    Messy(
        "Latin-1",
        written(cells(LABELS, lambda _: "Köln", 1)).encode("latin-1"),
        refused="UTF-8: line 2 ... Windows-1252",
    ),
    Messy("a spreadsheet", b"PK\x03\x04rest", refused="labels.csv ... spreadsheet ... ZIP ... CSV"),
    Messy("compressed", None, b"\x1f\x8brest", refused="scores.csv is compressed"),
    Messy("empty", "", refused="labels.csv is empty"),
    Messy(
        "image ids rounded by a spreadsheet",
        written(cells(LABELS, lambda cell: "1.2E+17", 0)),
        refused="5 image ids ... rounded, such as '1.2E+17' in line 2",
    ),
    Messy(
        "logits",
        None,
        written(LOGITS),
        refused="scores.csv: 12 scores ... 0 to 1 ... line 2, image 'e5': Mass: the score -1.9",
    ),
    Messy(
        "logits without --logits",
        None,
        written(LOGITS),
        refused="-7.5 to 6.25 ... add --logits",
    ),
    Messy("scores given as logits", None, None, refused="0 to 1 ... --logits", logits=True),
    Messy(
        "percentages",
        None,
        written(cells(SCORES, lambda cell: str(100 * float(cell)))),
        refused="0 to 100: ... percentages, divide them by 100",
    ),
    Messy(
        "leading zeros removed by a spreadsheet",
        written(cells(LABELS, lambda cell: f"00{cell[1]}", 0)),
        written(cells(SCORES, lambda cell: cell[1], 0)),
        refused="image '1': ... not in labels.csv ... leading zeros",
    ),
    Messy(
        "an image column without a name",
        None,
        written(named(SCORES, "image_id", "")),
        refused="first column has no name",
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
        refused="6 cells ... header has 4. ... decimal commas ... semicolons",
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
        refused="'Mass' and 'Mass' ... columns 3 and 4",
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
