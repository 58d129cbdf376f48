"""Layouts that a table could have, scored by replaying its workload on them."""
