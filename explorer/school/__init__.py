"""Teaching: playlists of films with a question each, the answers to them, and what they come to. No server, no page."""
