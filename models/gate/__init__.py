"""Decides whether a model may read a film; if not, says why and what to do."""

from models.gate.judgment import Check, Details, JudgedClassifier, Remedy, Verdict, judge

__all__ = ["Check", "JudgedClassifier", "Details", "Remedy", "Verdict", "judge"]
