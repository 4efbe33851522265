"""A class as one HTML file whose truth stays sealed until a question is answered."""
