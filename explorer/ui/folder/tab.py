"""The folder panel on Read, hidden until several films are dropped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import gradio as gr

from explorer.film_folder.limits import LIMITS, MB
from explorer.film_folder.open_folders import OpenFolders
from explorer.reading.reader import Readers
from explorer.ui.folder.handlers import FolderHandlers
from explorer.ui.read.film_events import add_film_event
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.scripts import mount_script
from explorer.ui.shared.fragments import fill_fragment
from explorer.ui.shared.private_folder import private_folder
from explorer.ui.shared.request_values import plain_json_call
from explorer.ui.shared.uploads import MAX_UPLOAD_MB

if TYPE_CHECKING:
    from explorer.store.store import Store

STYLES = ("folder/folder.css", "folder/folder_table.css")
CALLS = (
    "folder_add folder_complete folder_stop folder_close folder_shown folder_pictures folder_table folder_explore "
    "folder_keep folder_again"
)


def folder_panel(read_handlers: ReadHandlers, readers: Readers, store: Store) -> FolderHandlers:
    """Build the component inside the current Blocks context."""
    folders = OpenFolders(readers, private_folder, unlisted=store.unlisted, is_far=read_handlers.joiner.is_far)
    threading.Thread(target=folders.sweep_forever, name="folders", daemon=True).start()
    handlers = FolderHandlers(read_handlers, folders)
    panel = gr.HTML(
        html_template=fill_fragment("folder/folder.html"),
        js_on_load=mount_script(
            "folder/folder.js",
            "begun",
            "wanted",
            limit=MAX_UPLOAD_MB * MB,
            files=LIMITS.files,
            films=LIMITS.films,
            bytes=LIMITS.bytes,
        ),
        server_functions=_calls(handlers),
        apply_default_css=False,
        elem_id="folder",
    )
    add_film_event(panel, panel.begun, handlers.begin_folder)
    add_film_event(panel, panel.wanted, handlers.open_folder_film)
    return handlers


def _calls(handlers: FolderHandlers) -> list[Callable[[object], object]]:
    """The server functions of the script, each with one argument."""
    return [plain_json_call(getattr(handlers, name)) for name in CALLS.split()]
