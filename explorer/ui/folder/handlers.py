"""What the folder's events and the calls of its script do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import gradio as gr

from explorer.film_folder.film_table import table_text
from explorer.film_folder.kept_cohort import keep
from explorer.film_folder.limits import NoFolder
from explorer.film_folder.open_folders import OpenFolders
from explorer.reading.reader import open_film
from explorer.ui.folder.payload import (
    PAGE,
    BegunPayload,
    FolderPayload,
    KeptPayload,
    LinkPayload,
    TakenPayload,
    folder_payload,
    pictures_payload,
)
from explorer.ui.read.handlers import ReadHandlers, field_of, not_shown, request_of, string_field
from explorer.ui.read.payload import ExportPayload, NotOpenedPayload, OpenedPayload
from explorer.ui.shared.links import cohort_id
from explorer.ui.shared.opening_limit import OpeningLimit
from explorer.ui.shared.refusals import RefusedPayload, refused
from explorer.ui.shared.request_values import within
from models.refusal import Refusal

Answer = TypeVar("Answer")
TAKEN: TakenPayload = {"stage": "taken"}
LARGEST = 10**6


def in_words(
    method: Callable[[FolderHandlers, object], Answer],
) -> Callable[[FolderHandlers, object], Answer | RefusedPayload]:
    """A method whose refusals are its answers."""

    @wraps(method)
    def answered(self: FolderHandlers, sent: object) -> Answer | RefusedPayload:
        try:
            return method(self, sent)
        except Refusal as refusal:
            return refused(refusal)

    return answered


class FolderHandlers:
    """Takes folders of films in and shows how far they are. Whoever has a folder's token has the folder."""

    def __init__(self, read_handlers: ReadHandlers, folders: OpenFolders) -> None:
        self._reading = read_handlers
        self._folders = folders
        self._at_once = OpeningLimit()

    def begin_folder(self, event: gr.EventData, request: gr.Request) -> BegunPayload | NotOpenedPayload:
        """Open a folder of {files}, to be read by {model}, in place of the one that the visitor had.

        Returns a token, or why there is none; an empty `model` is the usual one.
        """
        files = within(field_of(event._data, "files"), (1, LARGEST))
        try:
            readers = self._reading.readers(string_field(event._data, "model"))
            token = self._folders.open(request.session_hash or "", files, readers)
        except Refusal as refusal:
            return not_shown(event, refusal)
        return {"stage": "folder", "token": token, "request": request_of(event)}

    def open_folder_film(self, event: gr.EventData, request: gr.Request) -> OpenedPayload | NotOpenedPayload:
        """Open {token, film}, a film of a folder, as one that was uploaded."""
        token, number = field_of(event._data, "token"), within(field_of(event._data, "film"), (0, LARGEST))
        try:
            folder = self._folders.folder(token)
            source = folder.film(number)
            if source is None:
                raise NoFolder("There is no such film in the folder", "Load the page again, then drop the films again.")
            try:
                data = (folder.films / source.file).read_bytes()
            except OSError as error:
                raise NoFolder("The film is no longer here", "Drop the films again.") from error
            with self._at_once.one_of(request.session_hash or ""):
                return self._reading.show_film(event, request, open_film(data))
        except Refusal as refusal:
            return not_shown(event, refusal)

    @in_words
    def folder_add(self, sent: object) -> TakenPayload:
        """Take an uploaded file in: {token, path, name}."""
        folder = self._folders.folder(field_of(sent, "token"))
        folder.incoming.add(self._reading.take({"path": string_field(sent, "path")}), string_field(sent, "name"))
        return TAKEN

    @in_words
    def folder_complete(self, token: object) -> TakenPayload:
        """No more files come."""
        self._folders.folder(token).incoming.complete()
        return TAKEN

    @in_words
    def folder_stop(self, token: object) -> TakenPayload:
        """Read no more films; what was read stays."""
        self._folders.folder(token).incoming.stop()
        return TAKEN

    @in_words
    def folder_again(self, sent: object) -> TakenPayload:
        """Have another model read the films: {token, model}; an empty `model` is the usual one."""
        folder = self._folders.folder(field_of(sent, "token"))
        folder.read_again(self._reading.readers(string_field(sent, "model")))
        return TAKEN

    @in_words
    def folder_close(self, token: object) -> TakenPayload:
        """Forget the folder."""
        self._folders.drop(token)
        return TAKEN

    @in_words
    def folder_shown(self, sent: object) -> FolderPayload:
        """The folder as it is now: {token, order, page}."""
        folder = self._folders.folder(field_of(sent, "token"))
        return folder_payload(folder, string_field(sent, "order"), within(field_of(sent, "page"), (0, LARGEST)))

    @in_words
    def folder_pictures(self, sent: object) -> dict[str, str]:
        """The small pictures of some films: {token, films}."""
        folder, films = self._folders.folder(field_of(sent, "token")), field_of(sent, "films")
        numbers = [number for number in films if isinstance(number, int)][:PAGE] if isinstance(films, list) else []
        return pictures_payload(folder.said()[0], frozenset(numbers))

    @in_words
    def folder_table(self, token: object) -> ExportPayload:
        """The scores of all films as CSV."""
        folder = self._folders.folder(token)
        return {"text": table_text(*folder.said(), simulated=folder.simulated), "type": "text/csv"}

    @in_words
    def folder_explore(self, token: object) -> LinkPayload:
        """Show the films that were read so far to this visitor in Explore."""
        return {"stage": "link", "link": f"#explore?cohort={cohort_id(self._folders.folder(token).explore())}"}

    @in_words
    def folder_keep(self, sent: object) -> KeptPayload:
        """Keep the films that were read as a cohort of this machine: {token, name, headers}."""
        folder, name = self._folders.folder(field_of(sent, "token")), string_field(sent, "name").strip()
        films = keep(folder, name, headers=field_of(sent, "headers") is True)
        return {"stage": "kept", "name": name, "films": films, "link": f"#explore?cohort={cohort_id(name)}"}

    def leave(self, request: gr.Request) -> None:
        """Forget the folder of a visitor who closed the page."""
        self._folders.drop_visitor(request.session_hash or "")
