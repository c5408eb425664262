"""Reports: one document from an export's tables, with its figures and its files.

Only `tables.py` gets data: the tables of a bundle, or the same tables of a running study. The rest
are pure functions of these tables and the settings.
"""
