"""Warns about questions that the model cannot answer reliably."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from explorer.asking.abbreviations import ambiguous_phrase, expand_abbreviations, unclear_abbreviation
from explorer.asking.answer import Caution, NearFinding
from explorer.asking.finding_match import named_finding
from explorer.asking.german import GermanTerm, german_term
from explorer.asking.language import foreign_language, unknown_words
from explorer.asking.negation import without_negation
from explorer.asking.question import MAX_PROMPT_CHARS, Question
from explorer.asking.several import asks_for_anything, asks_for_several
from explorer.asking.suggestions import suggestions
from explorer.asking.vocabulary import is_listed, split_words, vocabulary

MIN_SIMILARITY = 0.55  # cosine to the nearest term of a finding, see explorer.asking.finding_match
MIN_TELLING_SHARE = 1 / 3  # share of telling words among all words except short everyday ones


def scored_text(text: str) -> str:
    """Return the text to score: abbreviations expanded, negation removed."""
    full = expand_abbreviations(text)
    return text if _language(full) != (None, None) else without_negation(full)


def cautions(text: str, scored: str, nearest: NearFinding, measured: bool) -> Iterator[Caution]:
    """Yield warnings about a question; `scored` is its scored text, `nearest` the nearest finding.

    `measured`: similarity is validated on the model's text tower, see `explorer.asking.finding_match`.
    """
    full = expand_abbreviations(text)
    language, term = _language(full)
    if language:
        yield _not_english(language, term)
        return
    if full != text:
        yield Caution("abbreviation", f'Abbreviations were expanded: the model was asked "{full}".')
    if found := unclear_abbreviation(text):
        short, (one, other) = found
        yield Caution("unclear abbreviation", f'"{short}" may mean {one} or {other}. Write it in full.')
    elif both := ambiguous_phrase(full):
        short, meanings = both
        words = f'"{short}" may mean {meanings[0]} or {meanings[1]}. Ask for one of them.'
        yield from (Caution("two meanings", words, meaning) for meaning in meanings)
    elif asks_for_anything(scored):
        yield Caution("several findings", "This asks for anything abnormal. Ask for one finding, or for: normal.")
    elif not is_radiographic(scored, nearest, measured):
        yield _no_finding(full)
    if asks_for_several(scored):
        yield Caution("several findings", "This asks for several findings. Ask for one at a time.")
    if scored.casefold() != full.strip(" .?!").casefold():
        yield Caution("negated", f'Negation is ignored: the answer is about "{scored}".')
    if untested := _unlabelled(scored):
        words = f'"{" ".join(untested)}" was not tested: the answer may be for the finding alone.'
        yield Caution("side or size", words)


def is_radiographic(text: str, nearest: NearFinding, measured: bool) -> bool:
    """Return whether a text names a finding, device or site in the chest, or is similar to a finding's words."""
    if named_finding(text):
        return True
    known, words = vocabulary(), split_words(text)
    if any(is_listed(word, known.elsewhere) for word in words) and not any(
        is_listed(word, known.anatomy) for word in words
    ):
        return False
    telling = sum(is_listed(word, known.telling) for word in words)
    others = sum(not is_listed(word, known.telling) and not is_listed(word, known.neutral) for word in words)
    if telling and telling >= MIN_TELLING_SHARE * (telling + others):
        return True
    return measured and nearest.similarity >= MIN_SIMILARITY


def cut_short(question: Question) -> Iterator[Caution]:
    """Yield a warning if only the beginning of a long text was used."""
    if question.cut_from is not None:
        words = (
            f'The text was cut from {question.cut_from:,} to at most {MAX_PROMPT_CHARS} characters: "{question.text}".'
        )
        yield Caution("cut", words)


def weaknesses(finding: str | None, model: str, cards: Mapping[str, Mapping[str, str]]) -> Iterator[Caution]:
    """Yield the caveats about the matching finding from the cards of `model` and its tower.

    `cards` holds warnings by finding, by model name.
    """
    for name, warnings in cards.items():
        if finding is not None and finding in warnings:
            words = warnings[finding]
            yield Caution(
                "known weakness",
                words if name == model else f"{name}, whose features it uses, carries this caution: {words}",
            )


def _language(text: str) -> tuple[str | None, GermanTerm | None]:
    """Return the language of a text that is not English, and the text's entry in the German dictionary."""
    language, term = foreign_language(text), german_term(text)
    if term and (language == "German" or term.whole or (language is None and not named_finding(text))):
        return "German", term
    return language, None


def _not_english(language: str, term: GermanTerm | None) -> Caution:
    if term:
        words = f'"{term.german}" is German for "{term.english}". The model reads English: ask for that.'
        return Caution("not English", words, term.english)
    none = ", but Tailscope's small dictionary has none of its words" if language == "German" else ""
    return Caution(
        "not English",
        f"This seems to be {language}{none}. The model reads English: ask for the finding in English.",
    )


def _no_finding(text: str) -> Caution:
    """Return the warning about a text that names nothing on a chest radiograph, or no known word."""
    if split_words(text) and len(unknown_words(text)) == len(split_words(text)):
        words = f'"{text}" is not a finding or a word known here. Check the spelling, or ask in full: pleural effusion.'
        return Caution("unknown word", words)
    words = "This does not seem to be a finding on a chest radiograph. Ask for one in full: pleural effusion."
    return Caution("not radiographic", words)


def _unlabelled(text: str) -> list[str]:
    """Return the text's words for side, size, time and the like, unless the text is a finding's own term."""
    if any(text.casefold() == each.word.casefold() for each in suggestions()):
        return []
    return [word for word in split_words(text) if is_listed(word, vocabulary().unlabelled)]
