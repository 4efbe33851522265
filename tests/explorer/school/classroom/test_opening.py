"""From the command line to a class: no port without --class, names and addresses, a port that is taken."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from explorer.school.classroom import opening
from explorer.school.classroom.addresses import machine_addresses, machine_names
from explorer.school.classroom.class_settings import CLASS_PORT, ClassSettings
from explorer.school.classroom.opening import class_names, open_class
from explorer.school.classroom.refusal import ClassRefusal
from tests.explorer.school.classroom.served_class import FILES, prepared


def test_without_class_there_is_neither_port_nor_thread(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    threads = threading.active_count()
    opened = open_class(ClassSettings(), tmp_path)
    assert opened is not None and not opened.classroom.is_on
    opened.start()
    board = opened.classroom.board()
    assert (board["on"], board["running"], board["addresses"], board["code"]) == (False, False, [], "")
    with pytest.raises(ClassRefusal, match="make class"):
        opened.classroom.begin(prepared())
    opened.close()
    assert threading.active_count() == threads and list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", CLASS_PORT)) != 0


def test_learners_are_told_the_likeliest_address_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "machine_addresses", lambda: ("192.168.1.5", "10.0.0.2", "127.0.0.1"))
    monkeypatch.setattr(opening, "machine_names", lambda: ("desk", "desk.local", "localhost"))
    asked = ClassSettings(True, 0, hosts=("room-4.local",))
    assert class_names(asked)[:3] == ("room-4.local", "192.168.1.5", "10.0.0.2")
    assert class_names(asked)[3:] == ("127.0.0.1", "desk", "desk.local", "localhost")
    opened = open_class(asked, tmp_path, FILES, tmp_path / "classes")
    assert opened is not None
    found = [address.rpartition(":")[0] for address in opened.classroom.board()["addresses"]]
    assert found == ["http://room-4.local", "http://192.168.1.5", "http://10.0.0.2"]
    opened.close()
    assert "10.0.0.2" not in class_names(ClassSettings(True, 0, bind="192.168.1.5"))


def test_this_machine_knows_how_it_is_called() -> None:
    assert machine_addresses()[-1] == "127.0.0.1" and "localhost" in machine_names()
    assert len(set(machine_addresses())) == len(machine_addresses())


def test_a_port_that_is_taken_and_an_address_of_another_machine_are_said(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert open_class(ClassSettings(True, port, "127.0.0.1"), tmp_path, FILES) is None
    assert open_class(ClassSettings(True, 0, "198.51.100.7"), tmp_path, FILES) is None
    said = capfd.readouterr().err
    assert f"127.0.0.1, port {port}" in said and "198.51.100.7" in said and said.count("--class-port") == 2
