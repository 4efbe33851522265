"""From words to prompts: the templates, the standard prompt of each finding, synonyms."""

from models.prompts.templates import PromptSet, Template, WrongPrompt, prompt_set

__all__ = ["PromptSet", "Template", "WrongPrompt", "prompt_set"]
