"""Decides whether a model may read a film; if not, says why and what to do."""

from models.gate.judgment import CheckName, JudgedClassifier, Remedy, Verdict, VerdictDetails, judge

__all__ = ["CheckName", "JudgedClassifier", "VerdictDetails", "Remedy", "Verdict", "judge"]
