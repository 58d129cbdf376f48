"""What an audit imports: loaded once, before processes are forked."""

import great_expectations
import pandas as pd
import pyiceberg.catalog.sql
import pyiceberg.io.pyarrow
import pyspark.sql

import audit_jobs.cli
import audit_jobs.jobs.nightly

__all__ = ["audit_jobs", "great_expectations", "pd", "pyiceberg", "pyspark"]
