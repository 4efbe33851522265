"""Six lessons: playlists whose words are filled in from what was counted, and the facts that their words rest on."""
