"""May a model read this film? The reason in words, and what to do."""

from models.gate.judgment import Check, Classifier, Details, Remedy, Verdict, judge

__all__ = ["Check", "Classifier", "Details", "Remedy", "Verdict", "judge"]
