"""Encryption of learners' traffic, and what the teacher should know about it."""

from __future__ import annotations

import os
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from explorer.school.classroom.class_settings import ClassSettings, is_loopback
from explorer.school.classroom.refusal import ClassRefusal

VALIDITY = timedelta(days=1)
_SLOW_CLOCKS = timedelta(hours=1)  # a learner's device's clock may be slow


NOT_ENCRYPTED = (
    "Not encrypted: anyone listening on this network can read nicknames, answers and films, and answer in a learner's "
    "name. Start with --tls self-signed if that matters."
)
ON_THIS_MACHINE = "Only this machine reaches it. With {} 0.0.0.0, devices on the local network do."
SELF_SIGNED = (
    "Encrypted, but each learner's browser warns once that it does not know who signed the certificate: compare its "
    "SHA-256 fingerprint before you continue: {}"
)
OWN_CERTIFICATE = "Encrypted with the certificate of SHA-256 fingerprint {}."


def write_self_signed(folder: Path, names: Sequence[str]) -> tuple[Path, Path]:
    """Write a new certificate for these names and addresses, and its key, both readable by their owner only."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tailscope class")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SLOW_CLOCKS)
        .not_valid_after(now + VALIDITY)
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    public = signed.public_bytes(serialization.Encoding.PEM)
    return _write(folder / "class.crt", public), _write(folder / "class.key", private)


def certificate_fingerprint(certificate: Path) -> str:
    """Return the SHA-256 fingerprint of a PEM file's first certificate, as in browsers. Raises ValueError, OSError."""
    digest = x509.load_pem_x509_certificate(certificate.read_bytes()).fingerprint(hashes.SHA256())
    return ":".join(f"{byte:02X}" for byte in digest)


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _write(file: Path, content: bytes) -> Path:
    handle = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as out:
        out.write(content)
    return file


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """The files of the certificate and its key, both None without encryption; `note` on the certificate, if any."""

    certificate: Path | None
    key: Path | None
    note: str

    def warning(self, bind: str, option: str, open_words: str) -> str:
        """Return what whoever serves devices at the address `bind` should know about encryption.

        `option` lets other devices in; `open_words` say what can be overheard then.
        """
        if self.certificate is not None:
            return self.note
        return ON_THIS_MACHINE.format(option) if is_loopback(bind) else open_words


def class_tls(settings: ClassSettings, folder: Path, names: tuple[str, ...]) -> TlsFiles:
    """Return the encryption of the class; a self-signed pair is written to `folder`. Raises ClassRefusal."""
    if settings.tls == "self-signed":
        certificate, key = write_self_signed(folder, names)
        return TlsFiles(certificate, key, SELF_SIGNED.format(certificate_fingerprint(certificate)))
    if settings.tls_cert is None or settings.tls_key is None:
        return TlsFiles(None, None, "")
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
