"""What can become of a file."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Damage = Callable[[Path, random.Random], None]


def flip(path: Path, dice: random.Random) -> None:
    """One bit is another."""
    content = bytearray(path.read_bytes())
    place = dice.randrange(8 * len(content))
    content[place // 8] ^= 1 << place % 8
    path.write_bytes(content)


def flip_the_end(path: Path, dice: random.Random) -> None:
    """One bit of the last hundred bytes, where Parquet keeps what no page's checksum covers."""
    content = bytearray(path.read_bytes())
    content[-dice.randrange(1, 100)] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


def cut(path: Path, dice: random.Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: dice.randrange(len(content))])


def zero_a_block(path: Path, dice: random.Random) -> None:
    """As a disk does that lost a sector."""
    content = bytearray(path.read_bytes())
    start = dice.randrange(len(content))
    block = len(content[start : start + 512])
    content[start : start + block] = b"\0" * block if any(content[start : start + block]) else b"\1" * block
    path.write_bytes(content)


def junk(path: Path, dice: random.Random) -> None:
    path.write_bytes(dice.randbytes(dice.randrange(1, 4000)))


def empty(path: Path, dice: random.Random) -> None:
    path.write_bytes(b"")


def delete(path: Path, dice: random.Random) -> None:
    path.unlink()


def folder(path: Path, dice: random.Random) -> None:
    path.unlink()
    path.mkdir()


def dangling(path: Path, dice: random.Random) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nowhere"))


DAMAGES: tuple[Damage, ...] = (flip, flip_the_end, cut, zero_a_block, junk, empty, delete, folder, dangling)


@contextmanager
def damaged(path: Path, damage: Damage, seed: int) -> Iterator[None]:
    """For as long as the block takes."""
    content = path.read_bytes()
    damage(path, random.Random(f"{path.name} {damage.__name__} {seed}"))
    try:
        yield
    finally:
        if path.is_dir():
            shutil.rmtree(path)
        if os.path.lexists(path):
            path.unlink()
        path.write_bytes(content)
