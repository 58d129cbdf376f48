"""The pruning algebra, lifting and the three passes. Pure: no Spark, no I/O."""
