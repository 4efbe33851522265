"""Whether two films are of one study, without keeping the study's identifier."""

from __future__ import annotations

import hashlib
import re

UID = re.compile(r"\d+(\.\d+)+")  # DICOM PS3.5, section 9.1
MAX_UID = 64  # characters
TOKEN_BYTES = 8


def study_token(uid: str) -> str | None:
    """Return 16 hex digits of a one-way hash of a StudyInstanceUID; None if it is missing or not a UID.

    Equal tokens mean equal identifiers. A word such as "ANONYMOUS" is not an identifier: it would join all films that
    the same program made anonymous.
    """
    if len(uid) > MAX_UID or not UID.fullmatch(uid):
        return None
    return hashlib.blake2b(uid.encode(), digest_size=TOKEN_BYTES, person=b"tailscope study").hexdigest()
