"""The nightly audit and the weekly maintenance as DAGs of Airflow 3.

Workers need prunescope on the PATH (in a virtual environment of its own: it and Airflow depend on
different versions of the same packages), Java 17, and the configuration at CONFIG. Credentials of
catalogs come from the workers' environment, as PyIceberg reads them, and are not Airflow's.
"""

from __future__ import annotations

import datetime as dt

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

CONFIG = "/etc/prunescope/audit.yaml"
UTC_START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)  # its zone is that of the schedules

# The moment that a run is for: of a scheduled run its schedule, also where the run is late, is
# repeated or is part of a backfill; of one that somebody triggered, the moment of that.
RUN_DATE = "(dag_run.logical_date or dag_run.run_after)"

with DAG(
    dag_id="prunescope_audit",
    description="Which scans of yesterday lost their pruning, and why",
    schedule="30 1 * * *",
    start_date=UTC_START,
    catchup=False,
    max_active_runs=1,  # two runs of one window must not publish at once
    tags=["iceberg"],
):
    BashOperator(
        task_id="audit",
        # The UTC day before.
        bash_command=(
            f"prunescope audit --config {CONFIG}"
            f" --window-start {{{{ macros.ds_add({RUN_DATE} | ds, -1) }}}}"
            f" --window-end {{{{ {RUN_DATE} | ds }}}}"
        ),
        # Done, but some queries or tables failed, as the log says, and would again: the task shows
        # as skipped, and is not retried.
        skip_on_exit_code=[1],
        retries=2,
        retry_delay=dt.timedelta(minutes=10),
        execution_timeout=dt.timedelta(hours=6),
    )

with DAG(
    dag_id="prunescope_maintain",
    description="Keeps the audit tables small",
    schedule="30 5 * * 0",
    start_date=UTC_START,
    catchup=False,
    max_active_runs=1,
    tags=["iceberg"],
):
    BashOperator(
        task_id="maintain",
        bash_command=f"prunescope maintain --config {CONFIG}",
        retries=2,
        retry_delay=dt.timedelta(minutes=10),
        execution_timeout=dt.timedelta(hours=2),
    )
