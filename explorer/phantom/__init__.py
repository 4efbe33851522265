"""A simulator of frontal chest radiographs: 35 findings, exact masks, two centers. SIMULATED, not for medical use."""

from explorer.phantom.patient import Patient, describe
from explorer.phantom.render import render
from explorer.phantom.request import ABNORMAL, CENTERS, GLOBAL, SIDES, Center, Request, WrongRequest, settle

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
