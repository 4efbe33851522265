"""Names of unlisted cohorts: nobody guesses one, and none is shown."""

from __future__ import annotations

from pathlib import Path

from explorer.cohorts.layout import Folder, checked_name
from explorer.cohorts.unlisted import PUBLIC_NAME, Unlisted, is_unlisted, new_name, public_name


def test_a_name_is_new_valid_and_not_shown() -> None:
    names = {new_name() for _ in range(50)}
    assert len(names) == 50
    for name in names:
        assert checked_name(name) == name and is_unlisted(name) and public_name(name) == PUBLIC_NAME
    for name in ("phantom", PUBLIC_NAME, f"{PUBLIC_NAME}-1", f"my-{next(iter(names))}"):
        assert not is_unlisted(name) and public_name(name) == name


def test_who_is_told_of_what_goes() -> None:
    gone: list[str] = []
    unlisted = Unlisted(gone.append)
    for version in ("0", "1"):
        unlisted.put(Folder(Path(version) / "a"))
    assert unlisted.folders() == (Folder(Path("1/a")),)
    unlisted.forget("b")
    unlisted.forget("a")
    unlisted.forget("a")
    assert unlisted.folders() == () and gone == ["a"]
