"""Simulates frontal chest radiographs: 35 findings, exact masks, two centers. SIMULATED, not for medical use."""

from explorer.simulator.patient import Patient, describe
from explorer.simulator.render import render
from explorer.simulator.request import ABNORMAL, CENTERS, GLOBAL, SIDES, Center, Request, WrongRequest, settle

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
