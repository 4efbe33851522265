"""The addresses and names of this machine on its networks, found without sending anything."""

from __future__ import annotations

import fcntl
import socket
import struct

from explorer.school.classroom.class_settings import is_host

_SIOCGIFADDR = 0x8915  # Linux: the IPv4 address of a network interface
_ELSEWHERE = ("192.0.2.1", 9)  # an unused network (RFC 5737), reached by the same route as other machines


def machine_addresses() -> tuple[str, ...]:
    """Return the IPv4 addresses of this machine: the one on the outbound route first, 127.0.0.1 last."""
    found = [*_outbound_addresses(), *_interface_addresses(), "127.0.0.1"]
    ordered = sorted(dict.fromkeys(found), key=lambda address: address.startswith("127."))
    return tuple(address for address in ordered if address != "0.0.0.0")


def machine_names() -> tuple[str, ...]:
    """Return the names of this machine: its own, and its .local name for multicast DNS."""
    own = socket.gethostname().lower()
    names = (own, f"{own.partition('.')[0]}.local", "localhost")
    return tuple(dict.fromkeys(name for name in names if is_host(name)))


def _outbound_addresses() -> list[str]:
    """Return the source address that a packet to another machine would have."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)  # connecting a datagram socket does not send a packet
        except OSError:
            return []
        return [str(probe.getsockname()[0])]


def _interface_addresses() -> list[str]:
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(probe, _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:  # the interface has no address, or this system does not report it
                continue
            found.append(socket.inet_ntoa(answer[20:24]))
    return found
