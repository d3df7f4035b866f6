"""What the product computes. Pure: the same input gives the same output; no clock, no randomness, no input or output.

Read upwards: `errors`, `units | money`, `estimate`, `catalogue` (facts), `workload` and `telemetry` (evidence), `intake`,
`diagnosis`, `capacity` and `cost` (formulas), `selection`, `sheet`.
"""
