"""What a class in one file keeps sealed until an answer is given: AES-GCM, opened by `static/class/sealed.js`.

This hides the truth from a look into the file, not from somebody who wants it: no server keeps the key, so the file
holds all that is needed to make it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TypedDict

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_LABEL = b"tailscope-class-file"


class SealedPayload(TypedDict):
    """A sealed part; all in base 64. The key is the SHA-256 of a label and `salt` as it is written."""

    salt: str
    iv: str
    data: str


def plain_bytes(part: object) -> bytes:
    """A part as JSON, the same bytes each time."""
    return json.dumps(part, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def sealed(part: bytes, length: int) -> SealedPayload:
    """JSON sealed, padded with blanks to `length` bytes so that its size says nothing. The same part gives the same."""
    padded = part.ljust(length)
    salt = base64.b64encode(hashlib.sha256(b"salt" + padded).digest()[:16])
    # Salt and with it the key are of this part alone: no key is used twice, so any nonce does.
    iv = hashlib.sha256(b"iv" + padded).digest()[:12]
    key = hashlib.sha256(_LABEL + salt).digest()
    data = AESGCM(key).encrypt(iv, padded, None)
    return {"salt": salt.decode(), "iv": _encoded(iv), "data": _encoded(data)}


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
