"""Teaching: playlists of films with one question each, answers and their results. No server, no page."""
