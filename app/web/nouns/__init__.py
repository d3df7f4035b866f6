"""The nouns of the catalogue: what each list shows, how it is filtered, and how a detail page is divided."""

from collections.abc import Mapping

from app.web.nouns.hardware import GPUS, SERVERS
from app.web.nouns.noun import FilterField, Noun, choices
from app.web.nouns.policy import POLICY_ROWS, POLICY_VALUES
from app.web.nouns.prices import PURCHASE, RENTAL
from app.web.nouns.references import FACTORS, LINKS, MODELS, OTHER_MODELS, PRECISION

__all__ = ["GPUS", "LINKS", "NOUNS", "POLICY", "PRECISION", "PRICES", "SERVERS", "TABS", "FilterField", "Noun", "choices"]

TABS: Mapping[str, Noun] = {noun.key: noun for noun in (GPUS, SERVERS, LINKS, PRECISION, MODELS, OTHER_MODELS, FACTORS)}
PRICES: Mapping[str, Noun] = {noun.key: noun for noun in (PURCHASE, RENTAL)}
POLICY: Mapping[str, Noun] = {noun.key: noun for noun in (POLICY_ROWS, POLICY_VALUES)}
NOUNS: Mapping[str, Noun] = {**TABS, **PRICES, **POLICY}
