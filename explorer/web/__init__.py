"""What the servers here share: the words of ASGI, who asks, the headers of answers. No page, no class."""
