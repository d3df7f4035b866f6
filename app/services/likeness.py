"""Names that people would take for one another: the same but for case, blanks, or characters that look alike (Unicode UTS #39)."""

from functools import cache
from unicodedata import category, normalize

from confusable_homoglyphs.confusables import confusables_data

INVISIBLE = ("Cc", "Cf", "Cn", "Co", "Cs")  # control and format characters, and what no font has


def has_invisible(name: str) -> bool:
    """Whether a name holds characters that nobody sees."""
    return any(category(character) in INVISIBLE for character in name)


def marks(name: str) -> frozenset[str]:
    """What a name looks like; names that share a mark look alike. Case is folded before and after: a capital I looks like an l, an i does not."""
    plain = "".join(normalize("NFKC", name).split())
    return frozenset({_skeleton(plain.casefold()), _skeleton(plain).casefold()})


def _skeleton(text: str) -> str:
    alike = _alike()
    return "".join(alike.get(character, character) for character in normalize("NFD", text))


@cache
def _alike() -> dict[str, str]:
    """Each character → the one that stands for all that look like it; where its double is several characters ("rn" for "m"), those."""
    groups: dict[str, set[str]] = {}
    several: dict[str, str] = {}
    for character, others in confusables_data.items():
        doubles = [other["c"] for other in others]
        if len(character) > 1:
            continue
        if len(doubles) == 1 and len(doubles[0]) > 1:
            several[character] = doubles[0]
        joined = {character, *(double for double in doubles if len(double) == 1)}
        for each in tuple(joined):
            joined |= groups.get(each, set())
        groups |= dict.fromkeys(joined, joined)
    return {character: min(group) for character, group in groups.items()} | several
