"""Errors on the terminal without their values: a file's name often contains its patient's."""

from __future__ import annotations

import logging
import sys
import traceback
from types import SimpleNamespace

from gradio import queueing, routes


def without_values(error: BaseException) -> str:
    """The traceback of an error and its causes with types only, without messages."""
    lines: list[str] = []
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        lines = [*traceback.format_tb(each.__traceback__), f"{type(each).__name__}\n", *lines]
        each = each.__cause__ or each.__context__
    return "Traceback (its values are left out):\n" + "".join(lines)


class WithoutValues(logging.Filter):
    """Removes values from the errors that the web server logs."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep every record."""
        if isinstance(record.exc_info, tuple) and record.exc_info[1] is not None:
            record.exc_text, record.exc_info = without_values(record.exc_info[1]), None
        return True


def leave_out_values() -> None:
    """Make Gradio and its web server print errors without values from now on."""
    for module in (queueing, routes):
        vars(module)["traceback"] = SimpleNamespace(print_exc=_print)
    logging.getLogger("uvicorn.error").addFilter(WithoutValues())


def _print() -> None:
    error = sys.exc_info()[1]
    if error is not None:
        sys.stderr.write(without_values(error))
