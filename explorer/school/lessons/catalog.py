"""The lessons in order, and a copy of a lesson as a playlist."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from explorer.school.lessons import centers, heat, hospital, sampling, tail, zero_shot
from explorer.school.lessons.step import Lesson, LessonStep
from explorer.school.playlists.playlist import Playlist

LESSONS: tuple[Lesson, ...] = tuple(each.LESSON for each in (tail, centers, heat, zero_shot, sampling, hospital))


def lesson_playlist(
    lesson: Lesson, steps: tuple[LessonStep, ...], number: Callable[[LessonStep], tuple[str, str]]
) -> Playlist:
    """Return a lesson's films with its current words; `number` returns the link and the mark of a step's number."""
    numbers = (number(step) for step in steps)
    films = tuple(replace(step.film, link=link, mark=mark) for step, (link, mark) in zip(steps, numbers, strict=True))
    return Playlist(lesson.title, films, lesson.about, lesson.closing)
