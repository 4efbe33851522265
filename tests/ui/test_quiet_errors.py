"""No value of a call comes to the terminal with an error, whoever prints it."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest
from gradio import queueing, routes

from explorer.ui.gradio_host.quiet_errors import WithoutValues, leave_out_values, without_values

NAME = "Doe^Jane 1970.dcm"


def failed() -> BaseException:
    try:
        try:
            raise KeyError(NAME)
        except KeyError as error:
            raise ValueError(f"Received inputs: [{NAME}]") from error
    except ValueError as error:
        return error


@pytest.fixture
def quiet() -> Iterator[None]:
    before = {module: vars(module)["traceback"] for module in (queueing, routes)}
    leave_out_values()
    yield
    for module, usual in before.items():
        vars(module)["traceback"] = usual
    server = logging.getLogger("uvicorn.error")
    for each in [each for each in server.filters if isinstance(each, WithoutValues)]:
        server.removeFilter(each)


def test_where_and_what_stay_and_the_words_go() -> None:
    words = without_values(failed())
    assert "KeyError" in words and "ValueError" in words and "in failed" in words
    assert "Doe" not in words


def test_an_error_that_is_its_own_cause_ends() -> None:
    error = ValueError(NAME)
    error.__cause__ = error
    assert without_values(error).count("ValueError") == 1


@pytest.mark.parametrize("module", [queueing, routes])
def test_gradio_prints_none(quiet: None, module: object, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise failed()
    except ValueError:
        module.traceback.print_exc()  # type: ignore[attr-defined]
    printed = capsys.readouterr().err
    assert "in failed" in printed and "Doe" not in printed


def test_the_web_server_logs_none(quiet: None) -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    server = logging.getLogger("uvicorn.error")
    server.addHandler(handler)
    try:
        server.error("Exception in ASGI application", exc_info=failed())
    finally:
        server.removeHandler(handler)
    assert "in failed" in stream.getvalue() and "Doe" not in stream.getvalue()
