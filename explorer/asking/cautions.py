"""What is wrong with a question, said before anybody believes the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from explorer.asking.abbreviations import ambiguous, spelled_out, unclear
from explorer.asking.answer import Caution, NearFinding
from explorer.asking.finding_match import named
from explorer.asking.german import GermanTerm, german_term
from explorer.asking.language import foreign, unknown
from explorer.asking.negation import without_negation
from explorer.asking.question import MAX_PROMPT_CHARS, Question
from explorer.asking.several import anything, several
from explorer.asking.suggestions import suggestions
from explorer.asking.vocabulary import among, vocabulary, words_of

SIMILAR = 0.55  # cosine to the nearest word for a finding, see explorer.asking.finding_match
SHARE = 1 / 3  # of the words that are not small everyday ones


def scored_text(text: str) -> str:
    """The text that is scored: abbreviations written out, without a negation."""
    full = spelled_out(text)
    return text if _language(full) != (None, None) else without_negation(full)


def cautions(text: str, scored: str, nearest: NearFinding, measured: bool) -> Iterator[Caution]:
    """The warnings about a text of which `scored` is scored; `nearest` is its nearest finding.

    `measured`: what is near was measured on the model's text tower, see `explorer.asking.finding_match`.
    """
    full = spelled_out(text)
    language, term = _language(full)
    if language:
        yield _not_english(language, term)
        return
    if full != text:
        yield Caution("abbreviation", f'The words were written out: "{full}" is what was asked.')
    if found := unclear(text):
        short, (one, other) = found
        yield Caution("unclear abbreviation", f'"{short}" may mean {one} or {other}. Write it in full.')
    elif both := ambiguous(full):
        short, meanings = both
        words = f'"{short}" may mean {meanings[0]} or {meanings[1]}. Ask for one of them.'
        yield from (Caution("two meanings", words, meaning) for meaning in meanings)
    elif anything(scored):
        yield Caution("several findings", "This asks for anything abnormal. Ask for one finding, or for: normal.")
    elif not radiographic(scored, nearest, measured):
        yield _no_finding(full)
    if several(scored):
        yield Caution("several findings", "This asks for several findings. Ask for one at a time.")
    if scored.casefold() != full.strip(" .?!").casefold():
        yield Caution("negated", f'Negation is ignored: the answer is about "{scored}".')
    if untested := _unlabelled(scored):
        words = f'"{" ".join(untested)}" was not tested: the answer may be for the finding alone.'
        yield Caution("side or size", words)


def radiographic(text: str, nearest: NearFinding, measured: bool) -> bool:
    """Whether it names a finding, a device or a place of the chest, or is near to a finding's words."""
    if named(text):
        return True
    known, words = vocabulary(), words_of(text)
    if any(among(word, known.elsewhere) for word in words) and not any(among(word, known.anatomy) for word in words):
        return False
    telling = sum(among(word, known.telling) for word in words)
    others = sum(not among(word, known.telling) and not among(word, known.neutral) for word in words)
    if telling and telling >= SHARE * (telling + others):
        return True
    return measured and nearest.similarity >= SIMILAR


def cut_short(question: Question) -> Iterator[Caution]:
    """That only the beginning of what was typed is asked."""
    if question.cut_from is not None:
        words = (
            f'{question.cut_from:,} characters were typed, {MAX_PROMPT_CHARS} are read. Asked was: "{question.text}".'
        )
        yield Caution("cut", f"The text was cut: {words}")


def weaknesses(finding: str | None, model: str, cards: Mapping[str, Mapping[str, str]]) -> Iterator[Caution]:
    """What cards have against the finding that a text is taken for: that of `model`, and that of its tower.

    `cards` are the warnings by finding, by the model's name.
    """
    for name, warnings in cards.items():
        if finding is not None and finding in warnings:
            words = warnings[finding]
            yield Caution(
                "known weakness",
                words if name == model else f"{name}, whose features it uses, carries this caution: {words}",
            )


def _language(text: str) -> tuple[str | None, GermanTerm | None]:
    """The language of a text that is not English, and what the German dictionary has for it."""
    language, term = foreign(text), german_term(text)
    if term and (language == "German" or term.whole or (language is None and not named(text))):
        return "German", term
    return language, None


def _not_english(language: str, term: GermanTerm | None) -> Caution:
    if term:
        words = f'"{term.german}" is German for "{term.english}". The model reads English: ask for that.'
        return Caution("not English", words, term.english)
    none = ", and the small dictionary here has none of its words" if language == "German" else ""
    return Caution(
        "not English",
        f"This seems to be {language}{none}. The model reads English: ask for the finding in English.",
    )


def _no_finding(text: str) -> Caution:
    """Of a text that names nothing a chest radiograph shows: perhaps it is no word at all."""
    if words_of(text) and len(unknown(text)) == len(words_of(text)):
        words = f'"{text}" is not a finding or a word known here. Check the spelling, or ask in full: pleural effusion.'
        return Caution("unknown word", words)
    words = "This does not seem to be a finding on a chest radiograph. Ask for one in full: pleural effusion."
    return Caution("not radiographic", words)


def _unlabelled(text: str) -> list[str]:
    """Sides, sizes, times and the like in a text, where they are no part of a finding's own words."""
    if any(text.casefold() == each.word.casefold() for each in suggestions()):
        return []
    return [word for word in words_of(text) if among(word, vocabulary().unlabelled)]
