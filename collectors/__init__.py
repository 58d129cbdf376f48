"""Evidence in: query logs, table metadata and statistics. No judgement and no Spark."""
