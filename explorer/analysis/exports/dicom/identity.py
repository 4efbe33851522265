"""Whose study the files say they belong to: nobody's, or what the visitor typed. Nothing comes from the film's header.

Random identifiers come from the operating system's generator, so that nothing of the film can be worked out from them.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from pydicom.uid import generate_uid

from models.refusal import Refusal

LONGEST_ID = 64  # characters of a patient ID (PS3.5, 6.2: LO)
LONGEST_UID = 64  # (PS3.5, 9.1)
UID = re.compile(r"(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))+")
ANONYMOUS = "TAILSCOPE-"


class WrongIdentity(Refusal):
    """What was typed is no patient ID or no study UID; the sentence does not repeat it."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What ties the two files to one another and, only where somebody typed it, to a patient or a study."""

    patient_id: str
    study_uid: str
    typed_patient: bool = False
    typed_study: bool = False

    @property
    def anonymous(self) -> bool:
        """Whether neither of the two was typed."""
        return not (self.typed_patient or self.typed_study)


def new_uid() -> str:
    """A UID of a random UUID (PS3.5, B.2): no address of this machine and no time is in it."""
    return str(generate_uid(prefix=None))


def identity(patient_id: str = "", study_uid: str = "") -> Identity:
    """Who the files are of: a new anonymous id and a new study wherever nothing was typed. Raises WrongIdentity."""
    patient, study = patient_id.strip(), study_uid.strip()
    if len(patient) > LONGEST_ID or "\\" in patient or not patient.isprintable():
        raise WrongIdentity(
            "That is no patient ID",
            f"A DICOM patient ID is one line of at most {LONGEST_ID} characters without a backslash. Correct it, or "
            "leave it empty for an anonymous one.",
        )
    if study and (len(study) > LONGEST_UID or not study.isascii() or not UID.fullmatch(study)):
        raise WrongIdentity(
            "That is no study UID",
            f"A study instance UID is numbers with dots between them, at most {LONGEST_UID} characters, none with a "
            "leading zero. Copy it from the archive, or leave it empty for a new study.",
        )
    return Identity(patient or ANONYMOUS + secrets.token_hex(6).upper(), study or new_uid(), bool(patient), bool(study))
