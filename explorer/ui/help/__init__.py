"""Help for somebody who is new: the page's words, and a tour through its tabs."""
