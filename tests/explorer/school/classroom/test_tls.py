"""The class over TLS: a pair made for it, a pair that was given, pairs that cannot be used; what is said of each."""

from __future__ import annotations

import os
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.classroom.opening import open_class
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.tls import NOT_ENCRYPTED, VALIDITY, certificate_fingerprint, class_tls, write_self_signed
from tests.explorer.school.classroom.served_class import FILES, Device, prepared, served_class
from tests.support.wording import Wording


def test_a_self_signed_class_is_encrypted_and_says_what_the_browser_will_warn_of(tmp_path: Path) -> None:
    with served_class(tmp_path, tls="self-signed", hosts=("room-4.local",)) as room:
        room.classroom.begin(prepared())
        board = room.classroom.board()
        certificate = tmp_path / "private" / "class.crt"
        assert board["encrypted"] and board["addresses"][0] == f"https://room-4.local:{room.port}/"
        assert "warns" in board["warning"] and certificate_fingerprint(certificate) in board["warning"]
        assert (tmp_path / "private" / "class.key").stat().st_mode & 0o777 == 0o600

        trusting = ssl.create_default_context(cafile=str(certificate))
        device = Device(room.port, trusting)
        joined = device.join(room.code, "Ann")
        assert joined.status == 200 and "; secure" in joined.headers["set-cookie"].lower()
        assert joined.headers["cross-origin-opener-policy"] == "same-origin"
        own = {"Origin": f"https://127.0.0.1:{room.port}"}
        assert device.ask("/answer", {"film": 0, "answer": {}}, headers=own).status == 403  # not open: it was heard
        foreign = device.ask("/answer", {}, headers={"Origin": f"http://127.0.0.1:{room.port}"})
        assert foreign.json["title"] == "The request came from another site"
        with pytest.raises(ssl.SSLCertVerificationError):
            Device(room.port, ssl.create_default_context()).ask("/")
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.load_verify_locations(certificate)
        with pytest.warns(DeprecationWarning):
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises(ssl.SSLError):
            Device(room.port, old).ask("/")
        with pytest.raises(OSError, match="."):
            Device(room.port).ask("/")


def test_a_certificate_is_of_the_machines_names_for_a_day(tmp_path: Path) -> None:
    file, _ = write_self_signed(tmp_path, ("room-4.local", "192.168.1.5", "::1"))
    made = x509.load_pem_x509_certificate(file.read_bytes())
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["room-4.local"]
    assert [str(each) for each in names.get_values_for_type(x509.IPAddress)] == ["192.168.1.5", "::1"]
    assert timedelta(hours=23) < made.not_valid_after_utc - datetime.now(UTC) <= VALIDITY == timedelta(days=1)
    assert len(certificate_fingerprint(file).split(":")) == 32


def test_a_pair_that_was_given_is_used(tmp_path: Path) -> None:
    certificate, key = write_self_signed(tmp_path, ("127.0.0.1",))
    with served_class(tmp_path, tls_cert=certificate, tls_key=key) as room:
        assert certificate_fingerprint(certificate) in room.classroom.board()["warning"]
        assert Device(room.port, ssl.create_default_context(cafile=str(certificate))).ask("/").status == 200


def test_a_pair_that_cannot_be_used_is_refused_in_words(tmp_path: Path, wording: Wording) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    certificate, _ = write_self_signed(tmp_path / "one", ("localhost",))
    _, other_key = write_self_signed(tmp_path / "other", ("localhost",))
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_text("nothing")
    for one, other in ((certificate, other_key), (nonsense, other_key), (certificate, nonsense)):
        with pytest.raises(ClassRefusal) as caught:
            class_tls(ClassSettings(True, tls_cert=one, tls_key=other), tmp_path, ("localhost",))
        wording(caught.value.title, "certificate")


def test_without_tls_the_teacher_is_told_what_can_be_overheard(tmp_path: Path, wording: Wording) -> None:
    with served_class(tmp_path) as room:
        board = room.classroom.board()
        assert not board["encrypted"]
        wording(board["warning"], "Only this machine", "--class-bind")
    assert os.listdir(tmp_path / "private") == []
    opened = open_class(ClassSettings(True, 0, "0.0.0.0"), tmp_path, FILES, tmp_path / "classes")
    assert opened is not None
    assert opened.classroom.board()["warning"] == NOT_ENCRYPTED and "nicknames, answers and films" in NOT_ENCRYPTED
    opened.close()
