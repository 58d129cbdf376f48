"""What people and programs read of a run, an answer or findings: text, JSON and SARIF."""
