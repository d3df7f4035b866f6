"""The rules, in the order in which their verdicts matter to a purchase. A new one is a module in `rules` and a line here."""

from app.domain.diagnosis.rule import Rule
from app.domain.diagnosis.rules import r_d1, r_d2, r_d3, r_d4, r_d5, r_d7, r_d8, r_d9

RULES: tuple[Rule, ...] = (r_d9.RULE, r_d4.RULE, r_d5.RULE, r_d2.RULE, r_d1.RULE, r_d7.RULE, r_d3.RULE, r_d8.RULE)

NOT_YET = {
    "R-D6": "the share of collectives in a step is in no monitor log: it needs a profiler trace",
    "R-D10": "model FLOPs utilisation needs the step time and the model: it needs a trial",
}
