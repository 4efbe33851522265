"""The folder panel's handlers of events and script calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import gradio as gr

from explorer.film_folder.film_table import table_text
from explorer.film_folder.kept_cohort import keep_as_cohort
from explorer.film_folder.limits import NoFolder
from explorer.film_folder.open_folders import OpenFolders
from explorer.reading.reader import open_film
from explorer.ui.folder.payload import (
    FILMS_PER_PAGE,
    FolderAcceptedPayload,
    FolderOpenedPayload,
    FolderPayload,
    KeptPayload,
    LinkPayload,
    folder_payload,
    pictures_payload,
)
from explorer.ui.read.handlers import ReadHandlers, not_opened_payload, request_number
from explorer.ui.read.payload import ExportPayload, NotOpenedPayload, OpenedPayload
from explorer.ui.shared.links import cohort_id
from explorer.ui.shared.opening_limit import OpeningLimit
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import clamped, string_field, value_in
from models.refusal import Refusal

HandlerAnswer = TypeVar("HandlerAnswer")
ACCEPTED: FolderAcceptedPayload = {"stage": "taken"}
MAX_FOLDER_FILMS = 10**6


def return_refusals(
    method: Callable[[FolderHandlers, object], HandlerAnswer],
) -> Callable[[FolderHandlers, object], HandlerAnswer | RefusedPayload]:
    """Wrap a method so that it returns its refusals."""

    @wraps(method)
    def answered(self: FolderHandlers, sent: object) -> HandlerAnswer | RefusedPayload:
        try:
            return method(self, sent)
        except Refusal as refusal:
            return refusal_payload(refusal)

    return answered


class FolderHandlers:
    """Opens folders of films and shows their progress. A folder belongs to the holder of its token."""

    def __init__(self, read_handlers: ReadHandlers, folders: OpenFolders) -> None:
        self._reading = read_handlers
        self._folders = folders
        self._opening_limit = OpeningLimit()

    def begin_folder(self, event: gr.EventData, request: gr.Request) -> FolderOpenedPayload | NotOpenedPayload:
        """Open a folder of {files}, read by {model}, replacing the visitor's previous one.

        Returns a token or a refusal; an empty `model` means the default.
        """
        files = clamped(value_in(event._data, "files"), (1, MAX_FOLDER_FILMS))
        try:
            readers = self._reading.readers(string_field(event._data, "model"))
            token = self._folders.open(request.session_hash or "", files, readers)
        except Refusal as refusal:
            return not_opened_payload(event, refusal)
        return {"stage": "folder", "token": token, "request": request_number(event)}

    def open_folder_film(self, event: gr.EventData, request: gr.Request) -> OpenedPayload | NotOpenedPayload:
        """Open {token, film}, a film of a folder, like an uploaded one."""
        token, number = value_in(event._data, "token"), clamped(value_in(event._data, "film"), (0, MAX_FOLDER_FILMS))
        try:
            folder = self._folders.folder(token)
            source = folder.film(number)
            if source is None:
                raise NoFolder("There is no such film in the folder", "Load the page again, then drop the films again.")
            try:
                data = (folder.films / source.file).read_bytes()
            except OSError as error:
                raise NoFolder("The film is no longer here", "Drop the films again.") from error
            with self._opening_limit.count_opening(request.session_hash or ""):
                return self._reading.show_film(event, request, open_film(data))
        except Refusal as refusal:
            return not_opened_payload(event, refusal)

    @return_refusals
    def folder_add(self, sent: object) -> FolderAcceptedPayload:
        """Add an uploaded file: {token, path, name}."""
        folder = self._folders.folder(value_in(sent, "token"))
        folder.incoming.add(self._reading.take({"path": string_field(sent, "path")}), string_field(sent, "name"))
        return ACCEPTED

    @return_refusals
    def folder_complete(self, token: object) -> FolderAcceptedPayload:
        """Note that no more files will follow."""
        self._folders.folder(token).incoming.complete()
        return ACCEPTED

    @return_refusals
    def folder_stop(self, token: object) -> FolderAcceptedPayload:
        """Stop reading; keep what was read."""
        self._folders.folder(token).incoming.stop()
        return ACCEPTED

    @return_refusals
    def folder_again(self, sent: object) -> FolderAcceptedPayload:
        """Read the films again with another model: {token, model}; an empty `model` means the default."""
        folder = self._folders.folder(value_in(sent, "token"))
        folder.read_again(self._reading.readers(string_field(sent, "model")))
        return ACCEPTED

    @return_refusals
    def folder_close(self, token: object) -> FolderAcceptedPayload:
        """Close the folder."""
        self._folders.drop(token)
        return ACCEPTED

    @return_refusals
    def folder_shown(self, sent: object) -> FolderPayload:
        """The folder's present state: {token, order, page}."""
        folder = self._folders.folder(value_in(sent, "token"))
        return folder_payload(
            folder, string_field(sent, "order"), clamped(value_in(sent, "page"), (0, MAX_FOLDER_FILMS))
        )

    @return_refusals
    def folder_pictures(self, sent: object) -> dict[str, str]:
        """The thumbnails of some films: {token, films}."""
        folder, films = self._folders.folder(value_in(sent, "token")), value_in(sent, "films")
        numbers = (
            [number for number in films if isinstance(number, int)][:FILMS_PER_PAGE] if isinstance(films, list) else []
        )
        return pictures_payload(folder.results()[0], frozenset(numbers))

    @return_refusals
    def folder_table(self, token: object) -> ExportPayload:
        """The scores of all films as CSV."""
        folder = self._folders.folder(token)
        return {"text": table_text(*folder.results(), simulated=folder.simulated), "type": "text/csv"}

    @return_refusals
    def folder_explore(self, token: object) -> LinkPayload:
        """Make the films read so far available to this visitor in Explore."""
        return {"stage": "link", "link": f"#explore?cohort={cohort_id(self._folders.folder(token).explore())}"}

    @return_refusals
    def folder_keep(self, sent: object) -> KeptPayload:
        """Keep the films that were read as a cohort on this machine: {token, name, headers}."""
        folder, name = self._folders.folder(value_in(sent, "token")), string_field(sent, "name").strip()
        films = keep_as_cohort(folder, name, headers=value_in(sent, "headers") is True)
        return {"stage": "kept", "name": name, "films": films, "link": f"#explore?cohort={cohort_id(name)}"}

    def leave(self, request: gr.Request) -> None:
        """Close the folder of a visitor who closed the page."""
        self._folders.drop_visitor(request.session_hash or "")
