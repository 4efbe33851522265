"""Opens a class from the command line's options: names, socket, encryption, application, server."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.school.class_file.learner_page import served_files
from explorer.school.classroom.addresses import machine_addresses, machine_names
from explorer.school.classroom.class_settings import ALL_INTERFACES, ClassSettings, is_loopback
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.place import ClassAddresses
from explorer.school.classroom.refusal import ClassRefusal

if TYPE_CHECKING:
    from explorer.school.classroom.server import ClassServer
    from explorer.school.classroom.watch import ClassWatch


class OpenedClass:
    """The classroom, its server and its watch; without --class, no port is opened and `start` does nothing."""

    def __init__(
        self, classroom: Classroom, server: ClassServer | None = None, watch: ClassWatch | None = None
    ) -> None:
        self.classroom = classroom
        self._server = server
        self._watch = watch

    def start(self) -> None:
        """Start serving learners, and print the address on the terminal."""
        if self._server is None:
            return
        self._server.start()
        if self._watch is not None:
            self._watch.start()
        board = self.classroom.board()
        sys.stdout.write(f"Learners of a class find it at {' or '.join(board['addresses'])}\n{board['warning']}\n")
        sys.stdout.flush()

    def close(self) -> None:
        """End a running class, then its server."""
        if self._watch is not None:
            self._watch.close()
        self.classroom.close()
        if self._server is not None:
            self._server.close()


def open_class(
    settings: ClassSettings, folder: Path, files: Mapping[str, bytes] | None = None, kept: Path | None = None
) -> OpenedClass | None:
    """Return the class for these settings, not yet served; if it cannot be opened, print the reason and return None.

    A new certificate is written to `folder`. `files` (of the learners' page) and `kept` (the folder of saved classes)
    default to the installed ones.
    """
    if not settings.on:
        return OpenedClass(Classroom())
    try:
        return _open(settings, folder, served_files() if files is None else files, kept)
    except ClassRefusal as refusal:
        sys.stderr.write(f"{refusal}\n")
        return None


def _open(settings: ClassSettings, folder: Path, files: Mapping[str, bytes], kept: Path | None) -> OpenedClass:
    # Imported here so that Tailscope starts as fast without --class.
    from explorer.school.classroom.app import class_app
    from explorer.school.classroom.server import ClassServer, bound_socket
    from explorer.school.classroom.tls import NOT_ENCRYPTED, class_tls
    from explorer.school.classroom.watch import ClassWatch

    names = class_names(settings)
    tls = class_tls(settings, folder, names)
    taken = bound_socket(settings.bind, settings.port)
    encrypted = tls.certificate is not None
    port = taken.getsockname()[1]
    urls = partial(class_urls, settings, port, encrypted=encrypted)
    warning = tls.warning(settings.bind, "--class-bind", NOT_ENCRYPTED)
    classroom = Classroom(ClassAddresses(urls(), encrypted, warning), kept)
    app = class_app(classroom, files, names, encrypted=encrypted)
    here = {ALL_INTERFACES: "127.0.0.1", "::": "::1"}.get(settings.bind, settings.bind)
    watch = ClassWatch(classroom, here, port, urls, encrypted=encrypted)
    return OpenedClass(classroom, ClassServer(app, taken, tls), watch)


def class_names(settings: ClassSettings) -> tuple[str, ...]:
    """Return the names and addresses that the class answers to, those from the command line first."""
    bound = machine_addresses() if settings.bind in (ALL_INTERFACES, "::") else (settings.bind,)
    return tuple(dict.fromkeys((*settings.hosts, *bound, *machine_names(), "127.0.0.1")))


def class_urls(settings: ClassSettings, port: int, *, encrypted: bool) -> tuple[str, ...]:
    """Return the class's URLs: given names, then addresses; a loopback address only if there is no other."""
    found = [*settings.hosts, *(machine_addresses() if settings.bind in (ALL_INTERFACES, "::") else (settings.bind,))]
    outside = [name for name in found if not is_loopback(name)] or found[:1]
    scheme = "https" if encrypted else "http"
    return tuple(f"{scheme}://{f'[{name}]' if ':' in name else name}:{port}/" for name in dict.fromkeys(outside))
