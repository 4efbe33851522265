"""Patient and study identifiers of exported files: anonymous, or typed by the visitor; never from the film's header.

Random identifiers come from the operating system, so they reveal nothing about the film.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from pydicom.uid import generate_uid

from models.refusal import Refusal

MAX_ID_CHARS = 64  # characters of a patient ID (PS3.5, 6.2: LO)
MAX_UID_CHARS = 64  # (PS3.5, 9.1)
UID_PATTERN = re.compile(r"(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))+")
ANONYMOUS = "TAILSCOPE-"


class WrongIdentity(Refusal):
    """A typed patient ID or study UID is invalid; the message does not repeat it."""


@dataclass(frozen=True, slots=True)
class ExportIdentity:
    """The identifiers that link the two files to each other and, only if typed, to a patient or study."""

    patient_id: str
    study_uid: str
    typed_patient: bool = False
    typed_study: bool = False

    @property
    def anonymous(self) -> bool:
        """Whether neither identifier was typed."""
        return not (self.typed_patient or self.typed_study)


def new_uid() -> str:
    """Return a UID from a random UUID (PS3.5, B.2), which reveals no machine address or time."""
    return str(generate_uid(prefix=None))


def export_identity(patient_id: str = "", study_uid: str = "") -> ExportIdentity:
    """Return the typed identifiers, with new anonymous ones where nothing was typed. Raises WrongIdentity."""
    patient, study = patient_id.strip(), study_uid.strip()
    if len(patient) > MAX_ID_CHARS or "\\" in patient or not patient.isprintable():
        raise WrongIdentity(
            "That is not a valid patient ID",
            f"A DICOM patient ID is one line of at most {MAX_ID_CHARS} characters without a backslash. Correct it, or "
            "leave it empty for an anonymous one.",
        )
    if study and (len(study) > MAX_UID_CHARS or not study.isascii() or not UID_PATTERN.fullmatch(study)):
        raise WrongIdentity(
            "That is not a valid study UID",
            f"A study instance UID has at most {MAX_UID_CHARS} characters: numbers without leading zeros, separated by "
            "dots. Copy it from the archive, or leave it empty for a new study.",
        )
    return ExportIdentity(
        patient or ANONYMOUS + secrets.token_hex(6).upper(), study or new_uid(), bool(patient), bool(study)
    )
