"""Reports: from an export's tables to one document, its figures and its files.

Nothing here asks the database: `tables.py` hands over a bundle's tables (or the same tables of a
study that runs), the rest is a pure function of them and of the settings.
"""
