"""The sealed parts of a class in one file: AES-GCM, opened by `static/class/sealed.js` after an answer.

This hides the truth from a casual look at the file, not from a determined reader: no server keeps the key, so the file
contains everything needed to derive it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TypedDict

_LABEL = b"tailscope-class-file"


class SealedPartPayload(TypedDict):
    """A sealed part, all in base 64. The key is the SHA-256 of a label and the encoded `salt`."""

    salt: str
    iv: str
    data: str


def canonical_json(part: object) -> bytes:
    """Return a part as canonical JSON."""
    return json.dumps(part, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def seal_part(part: bytes, length: int) -> SealedPartPayload:
    """Return the JSON, padded with blanks to `length` bytes to hide its size, and then sealed. Deterministic."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # here, because the page stands without it

    padded = part.ljust(length)
    salt = base64.b64encode(hashlib.sha256(b"salt" + padded).digest()[:16])
    # The salt, and so the key, is unique to this part: no key is used twice, so any nonce is safe.
    iv = hashlib.sha256(b"iv" + padded).digest()[:12]
    key = hashlib.sha256(_LABEL + salt).digest()
    data = AESGCM(key).encrypt(iv, padded, None)
    return {"salt": salt.decode(), "iv": _encoded(iv), "data": _encoded(data)}


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
