"""Fuzzing one parser, led by what its input covers: `make fuzz-parsers` runs it for each.

A finding is written as a file `crash-…`, `timeout-…` or `oom-…`: put it into the corpus with its
fix.
"""

import sys

import atheris

with atheris.instrument_imports(include=["collectors", "prunescope.audit_jobs.planning"]):
    from tests.fuzz.targets import TARGETS

atheris.Setup([sys.argv[0], *sys.argv[2:]], TARGETS[sys.argv[1]])
atheris.Fuzz()
