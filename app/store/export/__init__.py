"""Export: tables, columns, bundles, release of free text, verification by replay."""
