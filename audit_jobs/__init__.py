"""Judgement out: the pruning passes, their replay on Spark, findings and sinks."""
