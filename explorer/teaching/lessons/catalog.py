"""The lessons in their order, and a lesson as a playlist of the visitor's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from explorer.teaching.lessons import centers, heat, hospital, sampling, tail, zero_shot
from explorer.teaching.lessons.step import Lesson, LessonStep
from explorer.teaching.playlist import Playlist

LESSONS: tuple[Lesson, ...] = tuple(each.LESSON for each in (tail, centers, heat, zero_shot, sampling, hospital))


def as_playlist(lesson: Lesson, steps: tuple[LessonStep, ...], link: Callable[[LessonStep], str]) -> Playlist:
    """A lesson's films with its words, as they are now; `link` says where on the page the number of a step stands."""
    films = tuple(replace(step.film, link=link(step)) for step in steps)
    return Playlist(lesson.title, films, lesson.about, lesson.closing)
