"""Facts about things one can buy, link, rent and run, each with its source: hardware, networks, models, prices, cost factors.

Rows come from `seed_data/` (or the database filled from it); nothing here knows where they were stored. A fact that nobody published is `None`.
"""
