"""The snapshots of wording: what they hold is what tests say, and a changed sentence fails."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.wording import SNAPSHOT, Wording, line_with, read

TESTS = Path(__file__).parent


def test_every_sentence_of_a_snapshot_is_of_a_test_that_hands_over_sentences() -> None:
    gone = [
        f"{snapshot.relative_to(TESTS)}: {test}"
        for snapshot in TESTS.rglob(SNAPSHOT)
        for test in read(snapshot)
        for file, _, name in [test.partition("::")]
        if not (path := snapshot.parent / file).exists()
        or not re.search(
            rf"^def {re.escape(name.partition('[')[0])}\([^()]*\bwording: Wording\b",
            path.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    ]
    assert gone == [], "remove these from the snapshot"


def test_a_renewed_sentence_is_kept_and_another_one_fails(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").touch()
    test, snapshot, folder = "test_a.py::test_it[1]", tmp_path / SNAPSHOT, {str(tmp_path): "TMP"}
    renewed = Wording(test, snapshot, folder, renew=True)
    renewed(f"{tmp_path}/a.csv has\n  no rows")
    renewed.finish()
    assert read(snapshot) == {test: ["TMP/a.csv has no rows"]}

    same = Wording(test, snapshot, folder, renew=False)
    with pytest.raises(AssertionError, match="less"):
        same.finish()
    same(f"{tmp_path}/a.csv has no rows")
    same.finish()
    with pytest.raises(AssertionError, match="changed"):
        Wording(test, snapshot, folder, renew=False)("a.csv is empty")
    with pytest.raises(AssertionError, match="sentence 2"):
        same("and another")


def test_facts_are_asserted_when_the_wording_is_renewed_too(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").touch()
    for renew in (True, False):
        facts = Wording("test_a.py::test_it", tmp_path / SNAPSHOT, {}, renew)
        facts(["1 film", "of 3 films"], "1 film", 3)
        with pytest.raises(AssertionError, match="4 is missing"):
            facts("1 film of 3", 4)
        facts._seen = facts._seen[:1]
        facts.finish()


def test_a_line_is_found_by_its_facts() -> None:
    assert line_with("1 film\n2 films of Mass\n3 films of Mass", "Mass", 3) == "3 films of Mass"
    assert line_with(("a note", "another note"), "note") == "a note"
    with pytest.raises(AssertionError, match="no line has"):
        line_with("1 film\n2 Mass", 1, "Mass")
