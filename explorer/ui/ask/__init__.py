"""The Ask tab: questions in words about the film that is open."""
