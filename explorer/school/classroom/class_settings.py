"""The class options of the command line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

CLASS_PORT = 7861
ALL_INTERFACES = "0.0.0.0"
_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClassSettings:
    """`on` says whether classes can be held at all; `hosts` are further names by which learners reach this machine."""

    on: bool = False
    port: int = CLASS_PORT
    bind: str = ALL_INTERFACES
    hosts: tuple[str, ...] = ()
    tls: str = ""  # or "self-signed"
    tls_cert: Path | None = None
    tls_key: Path | None = None


def is_host(word: str) -> bool:
    """Return whether this is a valid host: an address, or letters, digits, hyphens and dots."""
    return is_ip_address(word) or (len(word) <= 253 and _NAME.fullmatch(word) is not None)


def is_loopback(name: str) -> bool:
    """Return whether this name or address can be reached only from this machine."""
    return name == "localhost" or (is_ip_address(name) and ip_address(name).is_loopback)


def is_ip_address(word: str) -> bool:
    """Return whether this is an IPv4 or IPv6 address."""
    try:
        ip_address(word)
    except ValueError:
        return False
    return True
