"""Requests and the tools they need, from which a small model learns what to choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Example = tuple[str, Mapping[str, Any]]

# By the name under which a model sees the tool; shown only where the arguments fit the tool's schema.
EXAMPLES: Mapping[str, tuple[Example, ...]] = {
    "base64": (
        ("Encode abc as base64", {"action": "encode", "text": "abc"}),
        ("What does YWJj decode to?", {"action": "decode", "text": "YWJj"}),
    ),
    "calculator": (
        ("What is 12 times 9?", {"expression": "12*9"}),
        ("What is the square root of 16?", {"expression": "sqrt(16)"}),
    ),
    "datetime": (
        ("What is the time?", {"action": "now"}),
        ("What time is it in Paris?", {"action": "now", "time_zone": "Europe/Paris"}),
        (
            "Which date is 5 days after 2020-02-03?",
            {"action": "add", "time": "2020-02-03", "duration": "5 days"},
        ),
    ),
    "json_formatter": (
        ("Indent [1,2]", {"text": "[1,2]"}),
        ('Is {"b":} valid JSON?', {"text": '{"b":}', "action": "validate"}),
    ),
    "regex_tester": ((r"Does \d match 'a1'?", {"pattern": r"\d", "text": "a1"}),),
    "user_info": (("What is my name?", {}), ("Show my settings", {})),
    "uuid": (("I want a new UUID", {}), ("Make 2 identifiers", {"count": 2})),
}

# Requests that need no tool. One stands after each of the above: a model follows what it saw last.
TALK = (
    "Hi there!",
    "Who painted the Mona Lisa?",
    "What is a regular expression?",
    "Write a story about a dog",
    "How do I cook rice?",
    "What is a UUID?",
    "谢谢",
    "Write a function that adds two numbers",
)
