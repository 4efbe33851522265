"""The command line: defaults, values, and a sentence for what cannot be."""

from __future__ import annotations

import pytest

from explorer.settings import SETTINGS, Settings, parse


def test_defaults_are_those_of_the_table() -> None:
    assert parse([]) == Settings(*(setting.default for setting in SETTINGS))  # type: ignore[arg-type]


def test_values_replace_defaults() -> None:
    assert parse(["--port", "7861", "--device", "cuda", "--model", "my.toml"]) == Settings(7861, "cuda", "my.toml")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--port", "0"], "'0' is not a port: give a number from 1 to 65535"),
        (["--port", "65536"], "'65536' is not a port"),
        (["--port", "eight"], "'eight' is not a port"),
        (["--port", "-1"], "'-1' is not a port"),
        (["--device", "tpu"], "invalid choice: 'tpu'"),
        (["--share"], "unrecognized arguments: --share"),
        (["--host", "0.0.0.0"], "unrecognized arguments: --host"),
    ],
)
def test_wrong_words_end_in_a_sentence(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        parse(words)
    assert stop.value.code == 2
    assert sentence in capsys.readouterr().err
