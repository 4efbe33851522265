"""Six lessons: playlists whose numbers are counted when opened, and the facts that their words rely on."""
