"""The lessons in their order, and a lesson as a playlist of the visitor's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from explorer.school.lessons import centers, heat, hospital, sampling, tail, zero_shot
from explorer.school.lessons.step import Lesson, LessonStep
from explorer.school.playlists.playlist import Playlist

LESSONS: tuple[Lesson, ...] = tuple(each.LESSON for each in (tail, centers, heat, zero_shot, sampling, hospital))


def as_playlist(
    lesson: Lesson, steps: tuple[LessonStep, ...], number: Callable[[LessonStep], tuple[str, str]]
) -> Playlist:
    """A lesson's films with its words, as they are now; `number` says where that of a step stands: link and mark."""
    numbers = (number(step) for step in steps)
    films = tuple(replace(step.film, link=link, mark=mark) for step, (link, mark) in zip(steps, numbers, strict=True))
    return Playlist(lesson.title, films, lesson.about, lesson.closing)
