"""What reading tables imports: loaded once, before processes are forked."""

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pyiceberg.avro.decoder

import audit_jobs.planning.row_group_stage
import collectors.tables.catalog
import collectors.tables.row_samples

__all__ = ["audit_jobs", "collectors", "pc", "pq", "pyiceberg"]
