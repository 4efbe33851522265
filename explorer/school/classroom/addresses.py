"""How this machine is called on its networks. Nothing is sent to find out."""

from __future__ import annotations

import fcntl
import socket
import struct

from explorer.school.classroom.class_settings import is_host

_SIOCGIFADDR = 0x8915  # Linux: the IPv4 address of a network interface
_ELSEWHERE = ("192.0.2.1", 9)  # of a network that is in no use (RFC 5737): the way there is the way to other machines


def machine_addresses() -> tuple[str, ...]:
    """The IPv4 addresses of this machine, the one that other machines reach it by first, 127.0.0.1 last."""
    found = [*_on_the_way(), *_of_interfaces(), "127.0.0.1"]
    ordered = sorted(dict.fromkeys(found), key=lambda address: address.startswith("127."))
    return tuple(address for address in ordered if address != "0.0.0.0")


def machine_names() -> tuple[str, ...]:
    """The names of this machine: as it calls itself, and as networks that tell names among themselves do."""
    own = socket.gethostname().lower()
    names = (own, f"{own.partition('.')[0]}.local", "localhost")
    return tuple(dict.fromkeys(name for name in names if is_host(name)))


def _on_the_way() -> list[str]:
    """The address that a packet to another machine would leave by."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)  # of a datagram's socket: no packet leaves
        except OSError:
            return []
        return [str(probe.getsockname()[0])]


def _of_interfaces() -> list[str]:
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            try:
                told = fcntl.ioctl(probe, _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:  # it has none, or this system does not tell
                continue
            found.append(socket.inet_ntoa(told[20:24]))
    return found
