"""The version of a cohort: a hash of its cases and labels."""

from __future__ import annotations

import hashlib
from pathlib import Path


def version_of(*files: Path) -> str:
    """Return twelve hexadecimal digits of a hash over the files, in order."""
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:12]
