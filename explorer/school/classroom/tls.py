"""The encryption of learners' traffic, and what the teacher should know about it."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

from explorer.school.classroom.certificate import certificate_fingerprint, write_self_signed
from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.classroom.refusal import ClassRefusal

NOT_ENCRYPTED = (
    "Not encrypted: anyone listening on this network can read nicknames, answers and films, and answer in a learner's "
    "name. Start with --tls self-signed if that matters."
)
SELF_SIGNED = (
    "Encrypted, but each learner's browser warns once that it does not know who signed the certificate: compare its "
    "SHA-256 fingerprint before you continue: {}"
)
OWN_CERTIFICATE = "Encrypted with the certificate of SHA-256 fingerprint {}."


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """The files of certificate and key, both None without encryption, and the teacher's warning."""

    certificate: Path | None
    key: Path | None
    warning: str


def class_tls(settings: ClassSettings, folder: Path, names: tuple[str, ...]) -> TlsFiles:
    """The encryption of the class; a self-signed pair is written to `folder`. Raises ClassRefusal."""
    if settings.tls == "self-signed":
        certificate, key = write_self_signed(folder, names)
        return TlsFiles(certificate, key, SELF_SIGNED.format(certificate_fingerprint(certificate)))
    if settings.tls_cert is None or settings.tls_key is None:
        return TlsFiles(None, None, NOT_ENCRYPTED)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(settings.tls_cert, settings.tls_key, _no_password)
        note = OWN_CERTIFICATE.format(certificate_fingerprint(settings.tls_cert))
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise ClassRefusal(
            "The certificate of the class cannot be used",
            f"{settings.tls_cert} and {settings.tls_key}: {error}. Name PEM files, the key without a password.",
        ) from error
    return TlsFiles(settings.tls_cert, settings.tls_key, note)


def _no_password() -> str:
    """Refuse a password, which OpenSSL would otherwise ask for on the terminal."""
    raise ValueError("the key has a password")
