"""Six lessons: playlists whose numbers are counted when a lesson is opened, and the facts that their words rely on."""
