"""Serves a review to its readers' devices, with the guards and the threat model of a class."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explorer.cohorts.images import Images
from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.classroom.opening import class_names, class_urls
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.server import ClassServer, bound_socket
from explorer.school.classroom.tls import class_tls
from explorer.school.reviews.desk import ReviewDesk
from explorer.school.reviews.reader_page import reader_files
from explorer.school.reviews.review import ReviewRefusal
from explorer.school.reviews.review_app import review_app
from explorer.school.reviews.review_database import ReviewDatabase

REVIEW_PORT = 7862
NOT_ENCRYPTED = (
    "Not encrypted: anyone listening on this network can read codes, films and votes. Use --tls self-signed if that "
    "matters."
)


@dataclass(frozen=True, slots=True)
class ServedReview:
    """A review on its port: `urls` end with a slash, the likeliest first; `warning` is about encryption."""

    urls: tuple[str, ...]
    warning: str
    _database: ReviewDatabase
    _server: ClassServer

    def close(self) -> None:
        """Stop serving and close the review; every acknowledged vote is durable already."""
        self._server.close()
        self._database.close()


def serve_review(database: ReviewDatabase, images: Images, settings: ClassSettings, folder: Path) -> ServedReview:
    """Serve a review until it is closed; a new certificate is written to `folder`.

    Raises ReviewRefusal if the port is taken, ClassRefusal for a certificate that cannot be used.
    """
    names = class_names(settings)
    tls = class_tls(settings, folder, names)
    try:
        taken = bound_socket(settings.bind, settings.port)
    except ClassRefusal as refusal:
        cause = refusal.detail.partition(".")[0]
        raise ReviewRefusal(
            f"The review cannot be served at {settings.bind}, port {settings.port}",
            f"{cause}. Choose another with --port or --bind.",
        ) from refusal
    encrypted = tls.certificate is not None
    urls = class_urls(settings, taken.getsockname()[1], encrypted=encrypted)
    app = review_app(ReviewDesk(database, images), reader_files(), names, encrypted=encrypted)
    server = ClassServer(app, taken, tls)
    server.start()
    warning = tls.warning(settings.bind, "--bind", NOT_ENCRYPTED).replace("learner's", "reader's")
    return ServedReview(urls, warning, database, server)
