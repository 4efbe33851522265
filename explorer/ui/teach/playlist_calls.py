"""The calls of the playlist editor: list, open, change, copy, delete, export, import."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable

from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.thumbnail_picture import THUMBNAIL_PIXELS, webp_of
from explorer.core.word_lists import quantity
from explorer.runtime.cached import RecentAnswers
from explorer.runtime.fair_queue import QueueFull
from explorer.school.playlists.film_facts import playlist_film_facts, unavailable_words
from explorer.school.playlists.found_film import FilmSources
from explorer.school.playlists.playlist import Playlist, WrongPlaylist
from explorer.school.playlists.playlist_files import PlaylistFiles
from explorer.school.playlists.playlist_json import parse_playlist, playlist_text
from explorer.ui.shared.refusals import RefusedPayload, answer_or_refusal
from explorer.ui.shared.request_values import string_field, value_in
from explorer.ui.teach.playlist_payload import (
    PicturesPayload,
    PlaylistFilePayload,
    PlaylistPayload,
    PlaylistsPayload,
    SavedPlaylistPayload,
    playlist_payload,
    playlists_payload,
)
from explorer.ui.teach.sent_playlist import changed_playlist
from models.radiograph import UnreadableRadiograph

MAX_FILE_CHARS = 2_000_000  # characters of a file
MAX_PICTURES = 6  # rendered in one call
CACHED_PICTURES = 512


class PlaylistCalls:
    """The script functions of the list and the editor; each returns its payload or a refusal."""

    def __init__(self, sources: FilmSources, files: PlaylistFiles) -> None:
        self._sources = sources
        self._files = files
        self._pictures: RecentAnswers[str] = RecentAnswers(CACHED_PICTURES)

    def playlists_shown(self, _: object) -> PlaylistsPayload | RefusedPayload:
        """All playlists."""
        return answer_or_refusal(lambda: playlists_payload(self._files.listed()))

    def playlist_shown(self, sent: object) -> PlaylistPayload | RefusedPayload:
        """Take {key, hidden}: open a playlist in the editor."""
        return answer_or_refusal(lambda: self._shown(sent))

    def playlist_saved(self, sent: object) -> PlaylistPayload | RefusedPayload:
        """Take {key, version, hidden, title, about, closing, films}: save the editor's playlist."""

        def save() -> PlaylistPayload:
            kept = self._files.change(
                string_field(sent, "key"),
                lambda playlist: changed_playlist(playlist, sent),
                seen=string_field(sent, "version"),
            )
            return playlist_payload(self._sources, kept, "Saved.", hidden=_hidden(sent))

        return answer_or_refusal(save)

    def playlist_begun(self, sent: object) -> SavedPlaylistPayload | RefusedPayload:
        """Take {title}: create an empty playlist."""

        def begin() -> SavedPlaylistPayload:
            kept = self._files.add(Playlist(string_field(sent, "title")))
            return {
                "stage": "kept",
                "key": kept.key,
                "title": kept.playlist.title,
                "said": "Created. It has no films yet.",
            }

        return answer_or_refusal(begin)

    def playlist_copied(self, sent: object) -> SavedPlaylistPayload | RefusedPayload:
        """Take {key}: copy a playlist."""

        def copy() -> SavedPlaylistPayload:
            kept = self._files.duplicate(string_field(sent, "key"))
            return {"stage": "kept", "key": kept.key, "title": kept.playlist.title, "said": "This is the copy."}

        return answer_or_refusal(copy)

    def playlist_deleted(self, sent: object) -> SavedPlaylistPayload | RefusedPayload:
        """Take {key}: delete a playlist."""

        def delete() -> SavedPlaylistPayload:
            title = self._files.delete(string_field(sent, "key")).title
            return {"stage": "kept", "key": "", "title": title, "said": f"{title} is deleted."}

        return answer_or_refusal(delete)

    def playlist_exported(self, sent: object) -> PlaylistFilePayload | RefusedPayload:
        """Take {key}: export a playlist as a JSON file."""

        def export() -> PlaylistFilePayload:
            playlist = self._files.kept(string_field(sent, "key")).playlist
            about = re.sub(r"[^a-z0-9]+", "-", playlist.title.lower()).strip("-") or "films"
            return {"stage": "file", "name": f"tailscope_playlist_{about}.json", "text": playlist_text(playlist)}

        return answer_or_refusal(export)

    def playlist_imported(self, sent: object) -> SavedPlaylistPayload | RefusedPayload:
        """Take {parts}: import a playlist from the pieces of a file's text, since a request's strings are bounded."""

        def read() -> SavedPlaylistPayload:
            parts = value_in(sent, "parts")
            words = "".join(each for each in parts if isinstance(each, str)) if isinstance(parts, list) else ""
            if len(words) > MAX_FILE_CHARS:
                raise WrongPlaylist(
                    "That file is too long for a playlist", f"The limit is {MAX_FILE_CHARS:,} characters."
                )
            kept = self._files.add(parse_playlist(words))
            unavailable = unavailable_words(playlist_film_facts(self._sources, kept.playlist.films))
            films = quantity(len(kept.playlist.films), "film")
            report = " ".join(filter(None, [f"{films} imported.", unavailable]))
            return {"stage": "kept", "key": kept.key, "title": kept.playlist.title, "said": report}

        return answer_or_refusal(read)

    def playlist_pictures(self, sent: object) -> PicturesPayload | RefusedPayload:
        """Take {key, version, films}: thumbnails of the simulated films at these positions of a version."""

        def make() -> PicturesPayload:
            kept = self._files.kept(string_field(sent, "key"))
            if kept.version != string_field(sent, "version"):
                raise WrongPlaylist("This playlist was changed", "Load it again to get its films' present positions.")
            films, places = kept.playlist.films, value_in(sent, "films")
            wanted = [each for each in places if type(each) is int] if isinstance(places, list) else []
            simulated = [at for at in wanted[:MAX_PICTURES] if 0 <= at < len(films) and not films[at].cohort]
            made = {str(at): self._picture(films[at].case) for at in simulated}
            return {"stage": "pictures", "pictures": {at: picture for at, picture in made.items() if picture}}

        return answer_or_refusal(make)

    @property
    def calls(self) -> list[Callable[[object], object]]:
        """The functions of the script, each with one argument."""
        return [
            self.playlists_shown,
            self.playlist_shown,
            self.playlist_saved,
            self.playlist_begun,
            self.playlist_copied,
            self.playlist_deleted,
            self.playlist_exported,
            self.playlist_imported,
            self.playlist_pictures,
        ]

    def _shown(self, sent: object) -> PlaylistPayload:
        kept = self._files.kept(string_field(sent, "key"))
        return playlist_payload(self._sources, kept, hidden=_hidden(sent))

    def _picture(self, address: str) -> str:
        """A data URL; empty if the film cannot be rendered now."""
        try:
            return self._pictures.get(address, lambda: self._made(address))
        except (UnreadableRadiograph, QueueFull):
            return ""

    def _made(self, address: str) -> str:
        film = self._sources.images.film(PHANTOM, address)
        if film is None:
            return ""
        with DECODERS.turn(address, low_priority=True):
            pixels = film.radiograph(THUMBNAIL_PIXELS).pixels
        return "data:image/webp;base64," + b64encode(webp_of(pixels)).decode("ascii")


def _hidden(sent: object) -> bool:
    return value_in(sent, "hidden") is True
