"""Errors on the terminal without the values in them: a file's name is often that of its patient."""

from __future__ import annotations

import logging
import sys
import traceback
from types import SimpleNamespace

from gradio import queueing, routes


def without_values(error: BaseException) -> str:
    """Where an error and those behind it came from, and of what types they are: no word of what they say."""
    lines: list[str] = []
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        lines = [*traceback.format_tb(each.__traceback__), f"{type(each).__name__}\n", *lines]
        each = each.__cause__ or each.__context__
    return "Traceback (its values are left out):\n" + "".join(lines)


class WithoutValues(logging.Filter):
    """Takes them out of the errors that the web server logs."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record stays."""
        if isinstance(record.exc_info, tuple) and record.exc_info[1] is not None:
            record.exc_text, record.exc_info = without_values(record.exc_info[1]), None
        return True


def leave_out_values() -> None:
    """From now on Gradio and its web server print errors so."""
    for module in (queueing, routes):
        vars(module)["traceback"] = SimpleNamespace(print_exc=_print)
    logging.getLogger("uvicorn.error").addFilter(WithoutValues())


def _print() -> None:
    error = sys.exc_info()[1]
    if error is not None:
        sys.stderr.write(without_values(error))
