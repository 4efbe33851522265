"""The Teach tab: playlists, and the class that answers them, as the teacher sees and presents it."""
