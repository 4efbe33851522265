"""The command line: defaults, values, and a sentence for what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.school.classroom.class_settings import ClassSettings
from explorer.settings import CLASS_SETTINGS, SETTINGS, Settings, parse_settings
from tests.support.wording import Wording, line_with


def test_defaults_are_those_of_the_table() -> None:
    *others, images, dicom = SETTINGS
    assert (images.name, dicom.name) == ("--images", "--dicom-export")
    assert parse_settings([]) == Settings(*(setting.default for setting in others), images={})  # type: ignore[arg-type]


def test_films_are_saved_as_dicom_only_where_that_is_asked_for() -> None:
    assert parse_settings([]).dicom is False
    assert parse_settings(["--dicom-export"]).dicom is True


def test_values_replace_defaults(tmp_path: Path) -> None:
    words = [
        "--port",
        "7861",
        "--device",
        "cuda",
        "--model",
        "my.toml",
        "--vlm",
        "my-vlm.toml",
        "--images",
        f"nih={tmp_path}",
    ]
    assert parse_settings(words) == Settings(7861, "cuda", "my.toml", "my-vlm.toml", {"nih": tmp_path})


def test_image_folders_add_up(tmp_path: Path) -> None:
    (tmp_path / "a=b").mkdir()
    words = ["--images", f"nih={tmp_path}", f"--images=own.1={tmp_path / 'a=b'}"]
    assert parse_settings(words).images == {"nih": tmp_path, "own.1": tmp_path / "a=b"}


def test_no_class_is_served_unless_it_is_asked_for() -> None:
    assert parse_settings([]).classroom == ClassSettings() and not parse_settings([]).classroom.on
    said = {setting.name: setting.default for setting in CLASS_SETTINGS}
    assert (said["--class-port"], said["--class-bind"]) == (ClassSettings().port, ClassSettings().bind)


def test_a_class_is_what_its_options_say(tmp_path: Path) -> None:
    pair = tmp_path / "class.crt", tmp_path / "class.key"
    for file in pair:
        file.touch()
    words = ["--class", "--class-port", "7000", "--class-bind", "192.168.1.5", "--class-host", "Room-4.local"]
    words += ["--class-host", "10.0.0.1", "--tls-cert", str(pair[0]), "--tls-key", str(pair[1])]
    asked = ClassSettings(True, 7000, "192.168.1.5", ("room-4.local", "10.0.0.1"), "", *pair)
    assert parse_settings(words).classroom == asked
    assert parse_settings(["--class", "--tls", "self-signed"]).classroom == ClassSettings(True, tls="self-signed")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--port", "0"], "1 to 65535"),
        (["--port", "65536"], "'65536'"),
        (["--port", "eight"], "'eight'"),
        (["--port", "-1"], "'-1'"),
        (["--device", "tpu"], "invalid choice: 'tpu'"),
        (["--images", "/data/nih"], "'/data/nih'"),
        (["--images", "nih="], "'nih='"),
        (["--images", "=/data"], "'=/data'"),
        (["--images", "NIH=/data"], "valid name"),
        (["--images", "nih=/no/such/folder"], "'/no/such/folder'"),
        (["--share"], "unrecognized arguments: --share"),
        (["--host", "0.0.0.0"], "unrecognized arguments: --host"),
        (["--class-port", "7000"], "class without --class"),
        (["--tls", "self-signed"], "class without --class"),
        (["--class", "--class-port", "7860"], "7860"),
        (["--class", "--class-bind", "room-4"], "'room-4'"),
        (["--class", "--class-host", "http://room-4/"], "'http://room-4/'"),
        (["--class", "--tls", "yes"], "invalid choice: 'yes'"),
        (["--class", "--tls-cert", "Makefile"], "--tls-key"),
        (["--class", "--tls-key", "/no/such/file"], "'/no/such/file'"),
        (
            ["--class", "--tls", "self-signed", "--tls-cert", "Makefile", "--tls-key", "Makefile"],
            "leave out --tls-cert",
        ),
    ],
)
def test_wrong_words_end_in_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    with pytest.raises(SystemExit) as stop:
        parse_settings(words)
    assert stop.value.code == 2
    wording(line_with(capsys.readouterr().err, sentence))
