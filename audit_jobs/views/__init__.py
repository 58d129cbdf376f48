"""Views of a run, an answer or findings for people and programs: text, JSON and SARIF."""
