"""The learners' application: the files of their page and the routes of the class, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from starlette.applications import Starlette

from explorer.school.class_file.learner_page import LEARNER_PAGE
from explorer.school.classroom.app_errors import answer_errors
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.guard import ClassGuard
from explorer.school.classroom.page_files import file_route
from explorer.school.classroom.routes import LearnerRoutes


def class_app(classroom: Classroom, files: Mapping[str, bytes], names: Iterable[str], *, encrypted: bool) -> ClassGuard:
    """Return the learners' application; `files` are their page's files by name, `names` the hosts it answers to."""
    learners = LearnerRoutes(classroom, encrypted=encrypted)
    pages = [file_route(name, content, LEARNER_PAGE) for name, content in files.items()]
    app = Starlette(routes=[*learners.routes(), *pages])
    answer_errors(app, page="Open the page of the class.", again="Try again, and tell the teacher.")
    app.router.redirect_slashes = False
    return ClassGuard(app, names, encrypted=encrypted)
