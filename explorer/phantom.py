"""The simulator's public name: `explorer.phantom.render` and what else `explorer.simulator` offers."""

from explorer.simulator import (
    ABNORMAL,
    CENTERS,
    GLOBAL,
    SIDES,
    Center,
    Patient,
    Request,
    WrongRequest,
    describe,
    render,
    settle,
)

__all__ = [
    "ABNORMAL",
    "CENTERS",
    "GLOBAL",
    "SIDES",
    "Center",
    "Patient",
    "Request",
    "WrongRequest",
    "describe",
    "render",
    "settle",
]
