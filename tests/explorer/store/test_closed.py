"""A store that is closed while it is asked: the question is broken off, and the program ends without a word."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from explorer.store.slices import Slice
from explorer.store.store import Store, StoreError
from tests.explorer.store.made_up import ONE, rows_of

ROOT = Path(__file__).parents[3]
# A question that takes minutes; a thread of the server that is still there when the program ends is a daemon, too.
ASKED_AT_THE_END = """
import threading
from explorer.store.slices import Slice
from explorer.store.store import Store, StoreError

store = Store(timeout_s=600)
store.count(Slice("nih-oof", "nih-mini"))
begun, ended = threading.Event(), threading.Event()

def ask():
    try:
        with store._database.asking() as cursor:
            begun.set()
            cursor.rows("SELECT count(*) FROM range(10000000000000) a WHERE a.range % 7 = 1")
    except StoreError:
        ended.set()

def serve():
    ask()
    threading.Event().wait()

threading.Thread(target=serve, daemon=True).start()
assert begun.wait(10)
store.close()
assert ended.wait(5)
"""


def test_what_is_asked_is_broken_off_and_nothing_is_said_at_the_end() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKED_AT_THE_END], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_closed_store_refuses_in_words_and_may_be_closed_again() -> None:
    store = Store()
    store.close()
    store.close()
    with pytest.raises(StoreError, match="Tailscope is ending"):
        store.count(Slice("nih-oof", "nih-mini"))


def test_tables_that_are_let_go_after_the_end_ask_nothing_of_a_closed_database(tmp_path: Path) -> None:
    folder = rows_of(5, ("Mass",)).write(tmp_path)
    store = Store(lambda: [folder])
    with ExitStack() as old:
        old.enter_context(store._opened.films(folder.name))
        rows_of(3, ("Mass",)).write(tmp_path)
        store.look(folder.name)
        assert store.count(ONE).films == 3  # of the new files: the old tables stay for whoever uses them
        store.close()
