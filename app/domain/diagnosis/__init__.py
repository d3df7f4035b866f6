"""Diagnosis: what holds the GPUs back, judged from a telemetry profile by the rules of the handbook (§1).

`rules/` has one module a rule, `registry` their order and what no log can tell yet, `policy` the thresholds as data, `case` what a rule looks at,
`facts` the sentences of evidence, `fallback` what is said when no rule is met."""

from app.domain.diagnosis.diagnosing import diagnose
from app.domain.diagnosis.types import Confidence, Diagnosis, Verdict

__all__ = ["Confidence", "Diagnosis", "Verdict", "diagnose"]
