"""What an audit imports: loaded once, before processes are forked."""

import great_expectations
import pandas as pd
import pyiceberg.catalog.sql
import pyiceberg.io.pyarrow
import pyspark.sql

import prunescope.audit_jobs.cli
import prunescope.audit_jobs.jobs.nightly

__all__ = ["great_expectations", "pd", "prunescope", "pyiceberg", "pyspark"]
