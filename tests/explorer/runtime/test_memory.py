"""Free memory goes back to the system, though something small lies behind it; what stays is not looked through."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from models.cards.card import PROJECT

HOLDS = """
import ctypes, sys, threading, time
from explorer.runtime.memory import few_pools, release_memory_loop
few_pools()
library = ctypes.CDLL(None)
library.malloc.restype, library.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
library.free.argtypes = [ctypes.c_void_p]

def resident():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS"))

def fill():
    blocks = [library.malloc(50_000) for _ in range(4000)]
    for block in blocks:
        ctypes.memset(block, 1, 50_000)
    held.append(library.malloc(50_000))
    for block in blocks:
        library.free(block)

held = []
threads = [threading.Thread(target=fill) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
kept = resident()
if sys.argv[1] == "gives":
    threading.Thread(target=release_memory_loop, args=(0.05,), daemon=True).start()
deadline = time.monotonic() + (10 if sys.argv[1] == "gives" else 0.5)
while resident() > 120_000 and time.monotonic() < deadline:
    time.sleep(0.05)
print(kept, resident())
"""


STAYS = """
import gc, weakref
from explorer.runtime.memory import freeze_objects

class Round:
    def __init__(self):
        self.itself = self

held = [[number] for number in range(100_000)]
gone = weakref.ref(Round())
freeze_objects()
assert gone() is None, "garbage goes before the rest is kept"
print(len(gc.get_objects()))
later = weakref.ref(Round())
gc.collect()
assert later() is None, "garbage of later goes too"
"""


def test_what_stays_is_not_looked_through_again() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STAYS], cwd=PROJECT, capture_output=True, text=True, timeout=60, check=True
    )
    assert int(done.stdout) < 1000, "objects that are looked at when Python looks for garbage"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do so by themselves, or cannot be asked to")
def test_memory_that_threads_used_goes_back() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HOLDS, "gives"], cwd=PROJECT, capture_output=True, text=True, timeout=60, check=True
    )
    kept, left = map(int, done.stdout.split())
    assert kept > 200_000, "KB, while nobody gave it back"
    assert left < 120_000


def test_the_app_tells_numpy_of_one_thread_before_it_is_imported() -> None:
    words = "import os, app; from numpy._core import _multiarray_umath; print(os.environ['OPENBLAS_NUM_THREADS'])"
    early = "import sys, os; sys.modules['numpy'] = None\ntry:\n    import app\nexcept ImportError:\n    pass\n"
    for code in (words, f"{early}print(os.environ['OPENBLAS_NUM_THREADS'])"):
        environment = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=PROJECT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert done.stdout == "1\n"
