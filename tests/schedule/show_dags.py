"""What Airflow makes of a folder of DAGs, as JSON on standard output. It runs in Airflow's own
environment: `show_dags.py FOLDER TIME`."""

import datetime as dt
import json
import sys
from typing import Any

from airflow.dag_processing.dagbag import DagBag  # type: ignore[import-not-found]
from airflow.sdk.api.datamodels._generated import DagRun  # type: ignore[import-not-found]
from airflow.sdk.exceptions import (  # type: ignore[import-not-found]
    AirflowException,
    AirflowSkipException,
)
from airflow.sdk.execution_time import macros  # type: ignore[import-not-found]


def _ends(operator: Any, code: int) -> str:
    """What becomes of a task whose command exits with a code."""
    operator.bash_command = f"exit {code}"
    try:
        operator.execute({})
    except AirflowSkipException:
        return "skipped"
    except AirflowException:
        return "failed"
    return "success"


def _shown(dag: Any, moment: dt.datetime) -> dict[str, Any]:
    (operator,) = dag.tasks
    runs = {
        "scheduled": DagRun.model_construct(logical_date=moment, run_after=moment),
        "triggered": DagRun.model_construct(logical_date=None, run_after=moment),
    }
    commands = {
        name: operator.render_template(
            operator.bash_command,
            {"dag_run": run, "macros": macros},
            jinja_env=operator.get_template_env(),
        )
        for name, run in runs.items()
    }
    return {
        "schedule": dag.timetable.expression,
        "time_zone": str(dag.timetable.timezone),
        "max_active_runs": dag.max_active_runs,
        "retries": operator.retries,
        "commands": commands,
        "ends": {code: _ends(operator, code) for code in (0, 1, 2)},
    }


if __name__ == "__main__":
    folder, time = sys.argv[1:]
    bag = DagBag(folder)
    shown = {name: _shown(dag, dt.datetime.fromisoformat(time)) for name, dag in bag.dags.items()}
    print(json.dumps({"errors": bag.import_errors, "dags": shown}))  # noqa: T201
