"""Explorer room: findings, cases and numbers. Core files import no torch and no gradio; `explorer/ui` is the page."""
