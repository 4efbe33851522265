"""The messages in docs/tables.md are those that the files of `messy` get."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from explorer.analysis.challenge_table.cohort_metrics import ColumnNames, read_cohort
from explorer.ingest.ordered_scores import note_moved_scores
from explorer.tabular.long_table import wide_table
from explorer.tabular.notes import Notes, Recognized
from explorer.tabular.problems import Refused
from tests.explorer.ingest.brought import source_of
from tests.explorer.tabular.messy import MESSY
from tests.explorer.tabular.messy_writing import Messy, written
from tests.explorer.tabular.small_tables import LOGITS
from tests.explorer.tabular.test_messy import put
from tests.test_docs import table


def said_in(message: str, sentences: str) -> bool:
    """Whether the docs' message is said; `...` in it are words left out."""
    return re.search(re.escape(message).replace(re.escape("..."), ".+"), sentences) is not None


COLUMNS = ColumnNames("image_id", "center", "patient", "weight")


def test_every_kind_of_note_is_there_with_a_message_that_is_said(tmp_path: Path) -> None:
    rows = table("recognized")
    assert [kind for kind, _ in rows] == list(Recognized)
    read = [read_cohort(*put(tmp_path, each), COLUMNS, "ignore") for each in MESSY if not each.refused]
    said = {note for each in read for note in each.notes}
    said |= set(read_cohort(*put(tmp_path, Messy("", scores=written(LOGITS))), COLUMNS, "ignore", logits=True).notes)
    together = source_of(tmp_path, "id,Mass,Nodule,Mass\na,0,1,1\n").notes
    said |= {note.replace("T.csv", "labels.csv") for note in together}
    studies = source_of(tmp_path, "id,StudyID,Mass\na,s,1\n").notes
    said |= {note.replace("T.csv", "labels.csv") for note in studies}
    lists = source_of(tmp_path, "id,found\na,nan\nb,nan\nc,Mass;Effusion\nc,Nodule\n", findings="found").notes
    said |= {note.replace("T.csv", "labels.csv") for note in lists}
    labels, scores = (
        "image_id,Mass\n" + "".join(f"{k},{k % 2 if whose else 1 - k % 2}\n" for k in range(40)) for whose in (1, 0)
    )
    paths = put(tmp_path, Messy("", labels, scores.replace(",0", ",0.2")))
    said |= set(read_cohort(*paths, ColumnNames("image_id"), "ignore").notes)
    close = Notes()
    note_moved_scores(Path("scores.csv"), {"Mass": 6e-6}, close)
    said |= set(map(str, close))
    long = tmp_path / "scores.csv"
    long.write_text("image_id,finding,score\na,Mass,0.1\nb,Mass,0.2\n", encoding="utf-8")
    with wide_table(long, "image_id", "finding", "score", close):
        said |= set(map(str, close))
    assert [message for _, message in rows if not any(said_in(message, each) for each in said)] == []


@pytest.mark.parametrize(("name", "message"), table("a file that is or has"))
def test_what_is_refused_is_refused_so(tmp_path: Path, name: str, message: str) -> None:
    (messy,) = [each for each in MESSY if each.name == name]
    with pytest.raises(Refused) as refused:
        read_cohort(*put(tmp_path, messy), COLUMNS, "ignore", logits=messy.logits)
    assert said_in(message, str(refused.value))
