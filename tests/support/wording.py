"""The sentences that tests meet, in one snapshot a room: a changed wording is renewed, not edited test by test.

A test asserts what a sentence is about (its refusal, its state, its numbers) and hands the sentence itself to the
`wording` fixture, which compares it with `wording.json` in the test's folder. Facts that any wording must have (a
name, a count) follow the sentence: `wording(caught.value, "'Mass'", "3 films")`. After a change of words:

    python -m pytest --renew-wording tests/explorer/ingest

and the difference of `wording.json` shows every sentence that changed, to be read before it is committed.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterable
from pathlib import Path

SNAPSHOT = "wording.json"


class Wording:
    """Compares a test's sentences with its room's snapshot, in the order in which the test hands them over."""

    def __init__(self, test: str, snapshot: Path, passing: dict[str, str], renew: bool) -> None:
        self._test, self._snapshot, self._passing, self._renew = test, snapshot, passing, renew
        self._seen: list[str] = []
        self._known: list[str] = [] if renew else read(snapshot).get(test, [])

    def __call__(self, text: object, *facts: object) -> None:
        """Compare the words of a text (an exception, a screen, notes), which must have the facts whatever its words.

        Spaces and line breaks count as one space.
        """
        words = " ".join(("\n".join(text) if isinstance(text, list | tuple) else str(text)).split())
        for fact in facts:
            assert str(fact) in words, f"{fact} is missing in: {words}"
        for value, name in self._passing.items():
            words = words.replace(value, name)
        at = len(self._seen)
        self._seen.append(words)
        if not self._renew:
            assert at < len(self._known), f"{self._snapshot} has no sentence {at + 1} of {self._test}: --renew-wording"
            assert words == self._known[at], "the wording changed: --renew-wording, and read the difference"

    def finish(self) -> None:
        """Write what was seen, or make sure that all that is known of this test was seen."""
        if self._renew:
            write(self._snapshot, self._test, self._seen)
        else:
            assert len(self._seen) == len(self._known), f"{self._test} says less than its snapshot: --renew-wording"


def line_with(text: str | Iterable[str], *facts: object) -> str:
    """The first line of a screen, or the first of several notes, that has all of these facts."""
    lines = text.splitlines() if isinstance(text, str) else list(text)
    found = [line for line in lines if all(str(fact) in line for fact in facts)]
    assert found, f"no line has all of {facts}: {lines}"
    return found[0]


def read(snapshot: Path) -> dict[str, list[str]]:
    """The sentences of each test of a folder."""
    return json.loads(snapshot.read_text(encoding="utf-8")) if snapshot.exists() else {}


def write(snapshot: Path, test: str, sentences: list[str]) -> None:
    """Save a test's sentences and drop those of deleted test files; several pytest workers may write at once."""
    with Path(__file__).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _write(snapshot, test, sentences)


def _write(snapshot: Path, test: str, sentences: list[str]) -> None:
    kept = {key: value for key, value in read(snapshot).items() if (snapshot.parent / key.partition("::")[0]).exists()}
    kept[test] = sentences
    content = json.dumps({key: kept[key] for key in sorted(kept) if kept[key]}, indent=1, ensure_ascii=False)
    snapshot.write_text(content + "\n", encoding="utf-8")
