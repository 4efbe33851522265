"""What the editor of playlists asks: list, open, change, copy, forget, take along, read back."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable

from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.thumbnails import LONGEST, webp_of
from explorer.core.word_lists import quantity
from explorer.runtime.cached import Recent
from explorer.runtime.fair_queue import QueueFull
from explorer.school.playlists.film_facts import film_facts, gone_words
from explorer.school.playlists.found_film import Sources
from explorer.school.playlists.playlist import Playlist, WrongPlaylist
from explorer.school.playlists.playlist_files import PlaylistFiles
from explorer.school.playlists.playlist_json import playlist_of_text, playlist_text
from explorer.ui.shared.refusals import RefusedPayload
from explorer.ui.teach.playlist_payload import (
    KeptPayload,
    PicturesPayload,
    PlaylistFilePayload,
    PlaylistPayload,
    PlaylistsPayload,
    playlist_payload,
    playlists_payload,
)
from explorer.ui.teach.sent_playlist import answered, changed_playlist, text, value
from models.radiograph import UnreadableRadiograph

MOST_READ = 2_000_000  # characters of a file
MOST_PICTURES = 6  # made for one question
KEPT_PICTURES = 512


class PlaylistCalls:
    """The functions of the list and of the editor, each of which answers or says in words what cannot be done."""

    def __init__(self, sources: Sources, files: PlaylistFiles) -> None:
        self._sources = sources
        self._files = files
        self._pictures: Recent[str] = Recent(KEPT_PICTURES)

    def playlists_shown(self, nothing: object) -> PlaylistsPayload | RefusedPayload:
        """Every playlist."""
        return answered(lambda: playlists_payload(self._files.listed()))

    def playlist_shown(self, sent: object) -> PlaylistPayload | RefusedPayload:
        """Take {key, hidden}: a playlist in the editor."""
        return answered(lambda: self._shown(sent))

    def playlist_saved(self, sent: object) -> PlaylistPayload | RefusedPayload:
        """Take {key, version, hidden, title, about, closing, films}: the playlist as it is in the editor."""

        def save() -> PlaylistPayload:
            kept = self._files.change(
                text(sent, "key"), lambda playlist: changed_playlist(playlist, sent), seen=text(sent, "version")
            )
            return playlist_payload(self._sources, kept, "Saved.", hidden=_hidden(sent))

        return answered(save)

    def playlist_begun(self, sent: object) -> KeptPayload | RefusedPayload:
        """Take {title}: a playlist without a film."""

        def begin() -> KeptPayload:
            kept = self._files.add(Playlist(text(sent, "title")))
            return {"stage": "kept", "key": kept.key, "title": kept.playlist.title, "said": "Made. It has no film yet."}

        return answered(begin)

    def playlist_copied(self, sent: object) -> KeptPayload | RefusedPayload:
        """Take {key}: a copy beside the playlist."""

        def copy() -> KeptPayload:
            kept = self._files.duplicate(text(sent, "key"))
            return {"stage": "kept", "key": kept.key, "title": kept.playlist.title, "said": "This is the copy."}

        return answered(copy)

    def playlist_deleted(self, sent: object) -> KeptPayload | RefusedPayload:
        """Take {key}."""

        def delete() -> KeptPayload:
            title = self._files.delete(text(sent, "key")).title
            return {"stage": "kept", "key": "", "title": title, "said": f"{title} is deleted."}

        return answered(delete)

    def playlist_exported(self, sent: object) -> PlaylistFilePayload | RefusedPayload:
        """Take {key}: the playlist as a JSON file."""

        def export() -> PlaylistFilePayload:
            playlist = self._files.kept(text(sent, "key")).playlist
            about = re.sub(r"[^a-z0-9]+", "-", playlist.title.lower()).strip("-") or "films"
            return {"stage": "file", "name": f"tailscope_playlist_{about}.json", "text": playlist_text(playlist)}

        return answered(export)

    def playlist_imported(self, sent: object) -> KeptPayload | RefusedPayload:
        """Take {parts}: a file's text in pieces, as a request holds no longer ones."""

        def read() -> KeptPayload:
            parts = value(sent, "parts")
            words = "".join(each for each in parts if isinstance(each, str)) if isinstance(parts, list) else ""
            if len(words) > MOST_READ:
                raise WrongPlaylist("That file is too long for a playlist", f"It holds up to {MOST_READ:,} characters.")
            kept = self._files.add(playlist_of_text(words))
            gone = gone_words(film_facts(self._sources, kept.playlist.films))
            films = quantity(len(kept.playlist.films), "film")
            said = " ".join(filter(None, [f"{films} imported.", gone]))
            return {"stage": "kept", "key": kept.key, "title": kept.playlist.title, "said": said}

        return answered(read)

    def playlist_pictures(self, sent: object) -> PicturesPayload | RefusedPayload:
        """Take {key, version, films}: small pictures of the simulated films at these places of a version."""

        def make() -> PicturesPayload:
            kept = self._files.kept(text(sent, "key"))
            if kept.version != text(sent, "version"):
                raise WrongPlaylist("This playlist was changed", "Ask again by the places that its films have now.")
            films, places = kept.playlist.films, value(sent, "films")
            wanted = [each for each in places if type(each) is int] if isinstance(places, list) else []
            there = [at for at in wanted[:MOST_PICTURES] if 0 <= at < len(films) and not films[at].cohort]
            made = {str(at): self._picture(films[at].case) for at in there}
            return {"stage": "pictures", "pictures": {at: picture for at, picture in made.items() if picture}}

        return answered(make)

    @property
    def calls(self) -> list[Callable[[object], object]]:
        """What the script may ask, each with one argument."""
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
        kept = self._files.kept(text(sent, "key"))
        return playlist_payload(self._sources, kept, hidden=_hidden(sent))

    def _picture(self, address: str) -> str:
        """A data URL; empty where the film cannot be made now."""
        try:
            return self._pictures.get(address, lambda: self._made(address))
        except (UnreadableRadiograph, QueueFull):
            return ""

    def _made(self, address: str) -> str:
        film = self._sources.images.film(PHANTOM, address)
        if film is None:
            return ""
        with DECODERS.turn(address, gives_way=True):
            pixels = film.radiograph(LONGEST).pixels
        return "data:image/webp;base64," + b64encode(webp_of(pixels)).decode("ascii")


def _hidden(sent: object) -> bool:
    return value(sent, "hidden") is True
