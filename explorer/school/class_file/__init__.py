"""A class as one HTML file, in which the truth is sealed until a question is answered."""
