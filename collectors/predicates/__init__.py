"""Predicates: model, extraction from SQL, binding to field ids, rendering."""
