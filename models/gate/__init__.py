"""May a model read this film? The reason in words, and what to do."""

from models.gate.judgment import Check, Details, JudgedClassifier, Remedy, Verdict, judge

__all__ = ["Check", "JudgedClassifier", "Details", "Remedy", "Verdict", "judge"]
