"""The folder's component on Read: hidden until many films are dropped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import gradio as gr

from explorer.film_folder.limits import LIMITS, MB
from explorer.film_folder.open_folders import OpenFolders
from explorer.reading.reader import Readers
from explorer.ui.folder.handlers import FolderHandlers
from explorer.ui.read.film_events import take
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.scripts import mount
from explorer.ui.shared.fragments import filled
from explorer.ui.shared.private_folder import private_folder
from explorer.ui.shared.request_values import plain
from explorer.ui.shared.uploads import LIMIT_MB

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
        html_template=filled("folder/folder.html"),
        js_on_load=mount(
            "folder/folder.js",
            "begun",
            "wanted",
            limit=LIMIT_MB * MB,
            files=LIMITS.files,
            films=LIMITS.films,
            bytes=LIMITS.bytes,
        ),
        server_functions=_calls(handlers),
        apply_default_css=False,
        elem_id="folder",
    )
    take(panel, panel.begun, handlers.begin_folder)
    take(panel, panel.wanted, handlers.open_folder_film)
    return handlers


def _calls(handlers: FolderHandlers) -> list[Callable[[object], object]]:
    """What the script may ask of the server, each with one argument."""
    return [plain(getattr(handlers, name)) for name in CALLS.split()]
