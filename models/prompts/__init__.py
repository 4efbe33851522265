"""From words to prompts: templates, standard prompts, and synonyms for the findings."""

from models.prompts.templates import PromptSet, Template, WrongPrompt, prompt_set

__all__ = ["PromptSet", "Template", "WrongPrompt", "prompt_set"]
