"""Formulas of a workbook: those of derivations, in which symbols become cells, and those of payments, present values and cents."""

import re
from collections.abc import Mapping

SIGNS = {"·": "*", "÷": "/", "−": "-", "+": "+", "(": "(", ")": ")", " ": ""}
MONTHS, RATE, FX, MONTHLY_RATE, ANNUITY = "plan_months", "discount_rate", "fx_rate", "monthly_rate", "annuity_months"
A_YEAR = 12  # months
_NUMBER = re.compile(r"\d+(\.\d+)?")
_WORD = re.compile(r"[^\W\d][\w₀-₉]*")


def in_cells(formula: str, cells: Mapping[str, str]) -> str:
    """The formula with every symbol replaced by its cell. ValueError: it holds something else, so it cannot be calculated."""
    made, at = ["="], 0
    while at < len(formula):
        number, word = _NUMBER.match(formula, at), _WORD.match(formula, at)
        if formula[at] in SIGNS:
            made.append(SIGNS[formula[at]])
            at += 1
        elif number is not None:
            made.append(number.group())
            at = number.end()
        elif word is not None and word.group() in cells:
            made.append(cells[word.group()])
            at = word.end()
        else:
            raise ValueError(f"{formula!r} cannot be calculated from {', '.join(cells)}")
    return "".join(made)


def cell_name(*parts: str) -> str:
    """A name that a workbook accepts for a cell, made of these words."""
    plain = "_".join(parts).translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉µ", "0123456789u"))
    safe = re.sub(r"\W+", "_", plain)
    return safe if safe[:1].isalpha() else f"x_{safe}"


def remainder(cell: str) -> str:
    """What is left of an amount in cents after the whole ones; rounded, for floats are not exact."""
    return f"ROUND({cell}*100,6)-INT(ROUND({cell}*100,6))"


def extra_cent(cell: str, rest: str, before: str, rests: str, parts: str, total: str) -> str:
    """An amount in whole cents, and one more where its remainder is among the largest: the parts then add up to the total (Hare-Niemeyer).

    `rest` is its remainder, `rests` those of all parts, `before` those up to its own: of equal ones the first comes first."""
    left = f"ROUND({total}*100-SUMPRODUCT(INT(ROUND({parts}*100,6))),0)"
    rank = f"SUMPRODUCT(({rests}>{rest})*1)+SUMPRODUCT(({before}={rest})*1)"
    return f"=(INT(ROUND({cell}*100,6))+IF({rank}<={left},1,0))/100"


def present(row: int) -> str:
    """A single payment discounted from its month; monthly ones by the annuity, what outlasts the plan when it ends."""
    rate, paid = MONTHLY_RATE, f"MIN(D{row},{MONTHS})"
    annuity = f"IF({rate}=0,{paid},(1-(1+{rate})^-{paid})/{rate})"
    rest = f"MAX(0,D{row}-{MONTHS})/(1+{rate})^{MONTHS}"
    return f"=IF(D{row}=0,B{row}/(1+{rate})^C{row},B{row}/MAX(1,D{row})*({annuity}+{rest}))"


def in_year(row: int, year: int, year_count: int) -> str:
    """What falls into a year: the start belongs to the first, what outlasts the plan to the last."""
    first, last = (year - 1) * A_YEAR, year * A_YEAR
    at_start = f"OR(C{row}=0,AND(C{row}>0,C{row}<={last}))" if year == 1 else f"AND(C{row}>{first},C{row}<={last})"
    rest = f"+MAX(0,D{row}-{MONTHS})" if year == year_count else ""
    months = f"MAX(0,MIN({last},D{row},{MONTHS})-{first}){rest}"
    return f"=IF(D{row}=0,IF({at_start},B{row},0),B{row}/MAX(1,D{row})*({months}))"
