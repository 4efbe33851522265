"""The question about a film as a sentence for learners."""

from __future__ import annotations

from explorer.school.playlists.playlist import FilmQuestion


def question_words(question: FilmQuestion) -> str:
    """Return the whole question as a sentence: the teacher's words if any, else the standard ones."""
    if question.words:
        return question.words
    finding = question.finding or ""
    return {
        "findings": "Which findings does this film show?",
        "point": f"Where is {finding}? Point to it.",
        "normal": "Is this film normal?",
        "present": f"Does this film show {finding}?",
        "pair": f"The same patient twice. Which film has {finding}?",
    }[question.kind]
