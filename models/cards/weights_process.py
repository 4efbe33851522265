"""The other process: lists the tensors of one file of torch.save, within its time and memory.

`python -m models.cards.weights_process` reads a file's length (8 bytes, big-endian) and bytes from standard input, and
the name of the wanted set of weights alike, empty for the usual one. It writes to standard output the length of a JSON
object and the object: a `Listing`, or what is `wrong`, or the `foreign` name that the file asks for.

A file made to fill memory or to go on for ever ends this process alone.
"""

from __future__ import annotations

import json
import pickle
import resource
import signal
import sys
import zipfile
from dataclasses import asdict

from models.cards.network_pickle import ForeignName
from models.cards.torch_listing import listed
from models.child_process import read_message, taken_over_output, write_message

MEMORY = 1 << 29  # bytes, beside two times the file
SECONDS = 10.0  # of one core, and one more for each 100 MB of the file

_DAMAGED = (
    pickle.UnpicklingError,
    zipfile.BadZipFile,
    EOFError,
    ValueError,  # and UnicodeDecodeError
    TypeError,
    AttributeError,
    IndexError,
    KeyError,
    OverflowError,
    RecursionError,
    NotImplementedError,
)


def main() -> None:
    """Answer for one file."""
    answers = taken_over_output()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    content = read_message(sys.stdin.buffer)
    wanted = read_message(sys.stdin.buffer)
    if content is None or wanted is None:
        return
    most = MEMORY + 2 * len(content)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    signal.setitimer(signal.ITIMER_PROF, SECONDS + len(content) / 1e8)
    write_message(answers, json.dumps(_answer(content, wanted.decode())).encode())


def _answer(content: bytes, wanted: str = "") -> dict[str, object]:
    try:
        return asdict(listed(content, wanted))
    except ForeignName as foreign:
        return {"foreign": foreign.name[:120]}
    except MemoryError:
        return {"wrong": "it asks for far more memory than its weights need"}
    except _DAMAGED as error:
        said = str(error).strip().splitlines()
        return {"wrong": (said[0] if said else type(error).__name__)[:200].rstrip(".")}


if __name__ == "__main__":
    main()
