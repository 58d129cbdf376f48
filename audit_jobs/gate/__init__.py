"""The data quality gate: a run is published only if its rows can be right."""
