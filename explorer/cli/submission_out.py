"""Writes a submission: to a temporary file, which is checked and then renamed."""

from __future__ import annotations

import os
import tempfile
import zipfile
from pathlib import Path

from explorer.analysis.exports.submission import Submission
from explorer.tabular.problems import Problems, WrongInput
from explorer.tabular.submission_file import check_submission

CSV_NAME = "submission.csv"  # in the ZIP
_DATE = (1980, 1, 1, 0, 0, 0)  # fixed, so that the same scores give the same bytes


def write_submission(made: Submission, out: Path) -> None:
    """Write a CSV, or a ZIP holding one. The file is read back and checked before it gets its name.

    Raises WrongInput if the file cannot be written, FailedChecks if it does not match its format.
    """
    target, problems = out.resolve(), Problems()
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".submission.") as folder:
            partial = Path(folder) / out.name
            if out.suffix.lower() == ".zip":
                with zipfile.ZipFile(partial, "w") as packed:
                    packed.writestr(zipfile.ZipInfo(CSV_NAME, _DATE), made.text(), zipfile.ZIP_DEFLATED)
            else:
                partial.write_text(made.text(), encoding="utf-8", newline="")
            check_submission(partial, made.format, problems)
            problems.refuse()
            os.replace(partial, target)
    except OSError as error:
        raise WrongInput(f"{out} cannot be written: {error.strerror}. Name another file for --out.") from error
