"""What terminals, forums and comments put around a line of a log, taken away. Linear in the length of the line."""

import re

_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-Z\\-_]")
_INTERRUPT = re.compile(r"\^[CZ\\]")
_PREFIX = re.compile(r"[\s#>|/*\\;]*")  # comment signs and block quotes of all kinds
_SAME = str.maketrans(
    {
        "–": "-",  # en dash, em dash and minus signs of typographic copies
        "—": "-",
        "−": "-",
        "‑": "-",
        "\u00a0": " ",
        "\u3000": " ",
        "\u2009": " ",
        "\u202f": " ",
        "\ufeff": "",
        "\u200b": "",
        "\t": " ",
        "|": " ",
        "\x00": "",
    }
)
FENCES = ("```", "~~~")


def cleaned(text: str) -> str:
    """The line without escapes, interrupts, comment prefixes and typographic signs."""
    if not text.isascii():
        text = text.translate(_SAME)
    elif "|" in text or "\t" in text:
        text = text.replace("|", " ").replace("\t", " ")
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if "^" in text:
        text = _INTERRUPT.sub("", text)
    return text[_PREFIX.match(text).end() :].rstrip()  # type: ignore[union-attr]  # the pattern matches the empty text


def cells(text: str) -> list[str]:
    """The cells of a cleaned line: separated by commas when it has any, by blanks otherwise."""
    if "," in text:
        return [cell.strip() for cell in text.rstrip(",").split(",")]
    return text.split()
