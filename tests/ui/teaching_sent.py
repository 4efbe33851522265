"""What the scripts send to the functions of Simulate, of its quiz and hidden films, of lessons, and of a class."""

from __future__ import annotations

# Those that draw a film.
SIMULATED = (
    *("simulated_film", "simulated_twin", "simulated_preview", "simulated_beside"),
    *("simulated_hidden", "simulated_hidden_other", "quiz_film"),
)


def teaching_calls(order: dict[str, object]) -> dict[str, object]:
    """By the name of the function; `order` is that of a simulated film, SEAL stands for a sealed one."""
    asked = {"kind": "findings", "finding": None}
    named = {"sure": 2, "findings": {"Kyphosis": ""}}
    return {
        **dict.fromkeys(("simulated_film", "simulated_twin", "simulated_preview"), order),
        **dict.fromkeys(("simulated_classifier", "simulated_text_model"), order),
        "simulated_progress": None,
        "simulated_sweep": {"order": order, "finding": "Kyphosis"},
        **dict.fromkeys(("class_board", "class_playlists", "class_reveal", "class_end", "class_results")),
        "class_clear": None,
        "class_let_in": True,
        "class_remove": {"nickname": "Ada", "keep": True, "again": False},
        "class_begin": {"playlist": "0123456789abcdef", "own_pace": True},
        "class_one_file": "0123456789abcdef",
        "class_study": {"finding": "Mass", "difference": 0.05},
        "class_study_file": {"finding": "Mass", "format": "csv"},
        **dict.fromkeys(("class_go", "class_film"), 1),
        "simulated_seal": order,
        **dict.fromkeys(("simulated_beside", "simulated_beside_read"), {"order": order, "how": "breath-3"}),
        **dict.fromkeys(("simulated_hidden", "simulated_hidden_other", "simulated_reveal"), {"seal": "SEAL"}),
        "quiz_film": {"question": {"kind": "present", "finding": "Kyphosis"}, "normals": 0.3},
        "quiz_answer": {"seal": "SEAL", "question": asked, "hits": 1, "n": 2, "answer": named},
        **dict.fromkeys(("lesson", "lesson_copied", "lesson_for_class"), 1),
        "lesson_answer": {"lesson": 3, "step": 0, "answer": {"sure": 1, "present": True}, "hits": 0, "n": 1},
    }
