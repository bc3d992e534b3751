"""Text of strangers, made safe to show: no control characters, nothing that turns the reading direction, no surprises in length."""

import unicodedata

_INVISIBLE = frozenset("\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u2800\u3164\ufeff\uffa0")


def clean_text(text: str, *, limit: int) -> str:
    """The text on one line, without control, bidirectional, invisible and unpaired-surrogate characters, at most `limit` characters.

    Letters of every script, emoji and combining marks stay; runs of white space become one space.
    """
    kept: list[str] = []
    # Four times the limit bounds the work on megabytes of junk and still leaves room for what is dropped.
    for char in text[: limit * 4]:
        if char.isspace():
            kept.append(" ")
        elif unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn") and char not in _INVISIBLE:
            kept.append(char)
    return " ".join("".join(kept).split())[:limit].rstrip()


def typed_text(text: object, *, limit: int) -> str:
    """What was typed on one line, without the characters that cannot be; "" for what is no text.

    Unlike `clean_text` it keeps spaces as they are: between two words one stands before the second is typed.
    """
    return "".join(char for char in text[:limit] if char.isprintable()) if isinstance(text, str) else ""
