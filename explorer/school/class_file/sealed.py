"""Sealed names of films: codes that reveal nothing about a film and open only with the seal's key.

A code is the text encrypted with a SHAKE-256 stream from a secret key and the code's own mark (HMAC-SHA-256 of the
text, cut to 16 bytes), a synthetic initialization vector (Rogaway and Shrimpton, Deterministic Authenticated-
Encryption, 2006, section 4): the same film has the same code, and an altered code does not open.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from models.cards import home as users
from models.refusal import Refusal

KEY_FILE = "seal.key"  # below TAILSCOPE_HOME; anyone who has this file can open the seals
KEY_BYTES, MARK_BYTES = 32, 16
PADDING_BYTES = 128  # bytes: texts are padded to a multiple of this, so that their length does not reveal findings
MAX_CODE_CHARS = 16_384  # characters of a code


class WrongSeal(Refusal):
    """Raised for a sealed name that cannot be opened here."""


class Seal:
    """Seals and opens texts with one key; thread-safe."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def close(self, text: str) -> str:
        """Seal a text as a code of letters, digits, hyphens and underscores."""
        plain = text.encode()
        filled = len(plain).to_bytes(2, "big") + plain
        filled += bytes(-len(filled) % PADDING_BYTES)
        mark = self._mark(filled)
        return base64.urlsafe_b64encode(mark + self._stream(mark, filled)).decode("ascii").rstrip("=")

    def open(self, code: object) -> str:
        """Return the text of a code. Raises WrongSeal if this key did not seal it."""
        try:
            if not isinstance(code, str) or not 0 < len(code) <= MAX_CODE_CHARS:
                raise ValueError
            bits = base64.b64decode(code.encode("ascii") + b"=" * (-len(code) % 4), altchars=b"-_", validate=True)
        except ValueError as error:
            raise _cannot_open() from error
        mark, body = bits[:MARK_BYTES], bits[MARK_BYTES:]
        filled = self._stream(mark, body)
        if not body or not hmac.compare_digest(self._mark(filled), mark):
            raise _cannot_open()
        return filled[2 : 2 + int.from_bytes(filled[:2], "big")].decode()

    def _mark(self, filled: bytes) -> bytes:
        return hmac.digest(self._key, b"mark" + filled, "sha256")[:MARK_BYTES]

    def _stream(self, mark: bytes, text: bytes) -> bytes:
        stream = hashlib.shake_256(b"stream" + self._key + mark).digest(len(text))
        return bytes(one ^ other for one, other in zip(text, stream, strict=True))


def machine_seal(home: Path | None = None) -> Seal:
    """This machine's seal; its key is created on first use and kept below `home`, by default TAILSCOPE_HOME.

    If nothing can be written there, the key lasts until the program ends.
    """
    place = (home or users.tailscope_home()) / KEY_FILE
    with suppress(OSError):
        _create_key(place)
        key = place.read_bytes()
        if len(key) == KEY_BYTES:
            return Seal(key)
    return Seal(secrets.token_bytes(KEY_BYTES))


def _create_key(place: Path) -> None:
    """Write a key unless one exists; if two programs do so at once, the first wins."""
    if place.exists():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, written = tempfile.mkstemp(dir=place.parent)  # readable by its owner only
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
        with suppress(FileExistsError):
            os.link(written, place)
    finally:
        os.unlink(written)


def _cannot_open() -> WrongSeal:
    return WrongSeal(
        "This sealed link cannot be opened here",
        f"It was damaged in transit, or sealed on another machine, whose {KEY_FILE} in TAILSCOPE_HOME is the key.",
    )
