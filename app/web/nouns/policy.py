"""Policy: rows of decision tables, and the numbers by which plans judge. They are edited and versioned as facts are."""

from app.domain.catalogue.search import find_policy_rows, find_policy_values
from app.web.forms.catalogue import GroupFilter
from app.web.nouns.noun import WORDS, FilterField, Noun, undated

POLICY_ROWS = Noun(
    key="policy-rows",
    table="policy_rows",
    find=undated(find_policy_rows),
    form=GroupFilter,
    filters=(WORDS, FilterField("group", "choice", "decision_table")),
    title=lambda row: str(row.scene),
    identify=lambda row: str(row.key),
    columns=("decision_table", "work", "suggestion", "gpu_least_count", "budget"),
    groups={
        "conditions": (
            *("work", "stage", "method", "reads", "parameters_over_count", "parameters_up_to_count", "seq_len_least_count"),
            *("requests_over_per_s", "data_over_bytes", "environment"),
        ),
        "general": ("key", "decision_table", "scene", "scene_zh", "suggestion", "suggestion_zh", "gpu_least_count", "budget"),
    },
)
POLICY_VALUES = Noun(
    key="policy-values",
    table="policy_values",
    find=undated(find_policy_values),
    form=GroupFilter,
    filters=(WORDS, FilterField("group", "choice", "rule")),
    title=lambda row: str(row.key),
    identify=lambda row: str(row.key),
    columns=("meaning", "value", "measure", "rule"),
    groups={"figures": ("value", "measure", "least", "most"), "general": ("key", "meaning", "meaning_zh", "rule")},
)
