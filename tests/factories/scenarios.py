"""TCO scenarios as documents: one option of every kind, on one basis."""

from typing import Any

MACHINES: dict[str, Any] = {
    "n_gpus": 8,
    "capex": [
        {"item": "gpu", "unit_price": "12000", "qty": 8, "currency": "USD"},
        {"item": "server", "unit_price": "280000", "qty": 1, "currency": "CNY"},
    ],
    "residual": "21000",
    "power": {"idle_w": 50, "typical_w": 275, "peak_w": 400, "host_w": 1200},
    "electricity_per_kwh": "0.12",
    "pue": 1.3,
    "utilisation": 0.7,
    "maintenance_ratio_per_year": 0.12,
    "cooling_per_year": "500",
    "opex": [{"item": "staff", "per_month": "480"}],
    "one_off": [{"item": "delay", "amount": "9000", "month": 2}],
}
COLOCATION: dict[str, Any] = {
    "per_kw_month": "190",
    "cross_connect_per_month": "250",
    "remote_hands_per_month": "100",
    "setup": "1500",
    "term_months": 48,
}
LEASED: dict[str, Any] = {key: value for key, value in MACHINES.items() if key not in ("capex", "residual")}
RENTED: dict[str, Any] = {"kind": "rent", "n_gpus": 8, "price_per_gpu_hour": "2.1", "utilisation": 0.7}
EVERY_KIND: list[dict[str, Any]] = [
    {**MACHINES, "name": "own", "kind": "buy"},
    {**MACHINES, "name": "racks", "kind": "colocate", "colocation": COLOCATION},
    {
        **MACHINES,
        "name": "cabinets",
        "kind": "colocate",
        "colocation": {"per_cabinet_month": "1000", "kw_per_cabinet": 3.3, "utility": "included", "term_months": 12},
    },
    {
        **LEASED,
        "name": "lease",
        "kind": "lease",
        "lease": {"per_month": "4200", "term_months": 24, "upfront": "5000", "purchase_price": "9000"},
    },
    {**RENTED, "name": "cloud"},
    {**RENTED, "name": "reserved", "commitment": "1y"},
    {**RENTED, "name": "spot", "commitment": "spot", "spot_loss_ratio": 0.08, "opex": [{"item": "egress", "per_month": "75"}]},
    {
        "name": "base and burst",
        "kind": "hybrid",
        "parts": [{**MACHINES, "name": "base", "kind": "buy"}, {**RENTED, "name": "burst", "n_gpus": 4, "utilisation": 0.15}],
    },
]


def a_document(*options: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A scenario of these options, or of every kind."""
    basis = {"currency": "USD", "years": 3, "discount_rate": 0.08, "fx": {"USD/CNY": "7.00", "on": "2026-10-30"}}
    return {**basis, "options": list(options or EVERY_KIND), **changes}
