"""Data to Vega-Lite specifications, plain dicts: the page embeds them, documents render them."""
