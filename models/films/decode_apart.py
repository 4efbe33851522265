"""Decode JPEG Lossless and JPEG-LS in a process of their own.

GDCM is the only free decoder for them here, and it ends the whole process on some damaged streams (an uncaught C++
exception), so it never runs inside the server. Run as a script, this file is that other process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydicom.encaps import encapsulate
from pydicom.pixels.decoders.base import get_decoder
from pydicom.uid import UID

TIMEOUT = 30  # seconds; 30 megapixels take about two


class DecoderFailed(Exception):
    """The other process died, ran out of time or found the stream damaged."""


def decode_apart(syntax: str, frame: bytes, options: dict[str, Any]) -> NDArray[Any]:
    """Decode one frame with pydicom's options for it: (h, w) or (h, w, 3). Raises DecoderFailed."""
    request = json.dumps({"syntax": syntax, "options": options}).encode() + b"\n"
    # -P: this folder's names must not stand in front of installed packages.
    command = [sys.executable, "-P", str(Path(__file__).resolve())]
    try:
        done = subprocess.run(command, input=request + frame, capture_output=True, timeout=TIMEOUT, check=True)
        values: NDArray[Any] = np.load(BytesIO(done.stdout), allow_pickle=False)
    except (subprocess.SubprocessError, OSError, ValueError, EOFError) as error:
        raise DecoderFailed from error
    return values


def _serve() -> None:
    request = json.loads(sys.stdin.buffer.readline())
    source = encapsulate([sys.stdin.buffer.read()], has_bot=False)
    decoder = get_decoder(UID(request["syntax"]))
    values, _ = decoder.as_array(source, index=0, validate=False, decoding_plugin="gdcm", **request["options"])
    np.save(sys.stdout.buffer, values, allow_pickle=False)


if __name__ == "__main__":
    _serve()
