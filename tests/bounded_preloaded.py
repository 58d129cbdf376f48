"""What reading tables imports: loaded once, before processes are forked."""

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pyiceberg.avro.decoder

import prunescope.audit_jobs.planning.row_group_stage
import prunescope.collectors.tables.catalog
import prunescope.collectors.tables.row_samples

__all__ = ["pc", "pq", "prunescope", "pyiceberg"]
