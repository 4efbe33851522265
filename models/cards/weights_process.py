"""The child process that lists the tensors of one torch.save file, within limits of time and memory.

`python -m models.cards.weights_process` reads from standard input a file's length (8 bytes, big-endian) and bytes, then
in the same form the name of the wanted set of weights, which may be empty. It writes to standard output the length of a
JSON object and the object itself, which is a `TensorListing`, says what is `wrong`, or gives the `foreign` name to
which the file refers. A file made to exhaust memory or run forever ends only this process.
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
from models.cards.torch_listing import list_tensors
from models.child_process import claim_stdout, read_message, write_message

BASE_MEMORY = 1 << 29  # bytes, plus twice the file's size
BASE_SECONDS = 10.0  # seconds of one core, plus one per 100 MB of the file

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
    """Answer the request for one file."""
    answers = claim_stdout()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    content = read_message(sys.stdin.buffer)
    wanted = read_message(sys.stdin.buffer)
    if content is None or wanted is None:
        return
    most = BASE_MEMORY + 2 * len(content)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    signal.setitimer(signal.ITIMER_PROF, BASE_SECONDS + len(content) / 1e8)
    write_message(answers, json.dumps(_answer(content, wanted.decode())).encode())


def _answer(content: bytes, wanted: str = "") -> dict[str, object]:
    try:
        return asdict(list_tensors(content, wanted))
    except ForeignName as foreign:
        return {"foreign": foreign.name[:120]}
    except MemoryError:
        return {"wrong": "it asks for far more memory than its weights need"}
    except _DAMAGED as error:
        lines = str(error).strip().splitlines()
        return {"wrong": (lines[0] if lines else type(error).__name__)[:200].rstrip(".")}


if __name__ == "__main__":
    main()
