"""A check that every file named in a call was uploaded here, because Gradio would fetch any address."""

from __future__ import annotations

from collections.abc import Callable

NOT_UPLOADED = "Only an uploaded film can be named\nUpload the film, then send the path from its answer."


def names_other_files(sent: object, is_upload: Callable[[str], bool]) -> bool:
    """Whether any file in this JSON is not an upload, or has an address.

    Gradio treats any object with a string `path` as a file, at any depth, and also uses its `url`.
    """
    waiting = [sent]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            path = value.get("path")
            if isinstance(path, str) and (value.get("url") is not None or not is_upload(path)):
                return True
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return False
