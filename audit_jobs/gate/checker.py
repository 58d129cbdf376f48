"""Checking frames with Great Expectations."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from prunescope.audit_jobs.results.scan_schemas import CONJUNCTS, SCAN_PLANS
from prunescope.audit_jobs.results.schemas import FINDINGS

if TYPE_CHECKING:
    from great_expectations import Checkpoint, ExpectationSuite
    from great_expectations.core.batch_definition import BatchDefinition
    from great_expectations.data_context import AbstractDataContext

Check = Callable[[str, pd.DataFrame], Sequence[Any]]
"""Checks a frame by its name: what Great Expectations finds of each expectation; if one does not
hold, with the keys of the rows that it does not hold of."""

KEYS = {
    SCAN_PLANS.name: ["scan_key"],
    CONJUNCTS.name: ["scan_key", "position"],
    FINDINGS.name: ["finding_key"],
}
"""The columns that rows of a frame are told by."""


@contextmanager
def quietly() -> Iterator[None]:
    """Suppresses warnings of a library that do not concern a user of audits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@quietly()
def checker(directory: Path | None) -> Check:
    """A function that checks frames, and with a directory keeps its results there."""
    # Both are settings of a library that this process uses once; it takes seconds to import.
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    import great_expectations as gx  # noqa: PLC0415
    from great_expectations.data_context.types.base import (  # noqa: PLC0415
        ProgressBarsConfig,
    )

    from prunescope.audit_jobs.gate.expectations import expectations  # noqa: PLC0415

    context = (
        gx.get_context(mode="ephemeral")
        if directory is None
        else gx.get_context(mode="file", project_root_dir=str(directory))
    )
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    suites = {
        name: gx.ExpectationSuite(name=name, expectations=of_frame)
        for name, of_frame in expectations().items()
    }
    return _telling(context, suites) if directory is None else _keeping(context, suites)


def _telling(context: AbstractDataContext, suites: Mapping[str, ExpectationSuite]) -> Check:
    """A check that keeps nothing, and so has no checkpoint. It asks for the failing rows only of
    expectations that do not hold: that costs more than all else."""
    import great_expectations as gx  # noqa: PLC0415

    batches = cache(partial(_batches, context))

    def check(name: str, frame: pd.DataFrame) -> Sequence[Any]:
        batch = batches(name).get_batch({"dataframe": frame})
        found: Sequence[Any] = batch.validate(suites[name], result_format="BOOLEAN_ONLY").results
        wrong = [each.expectation_config.to_domain_obj() for each in found if not each.success]
        if not wrong:
            return found
        suite = gx.ExpectationSuite(name=name, expectations=wrong)
        told = batch.validate(suite, result_format=_complete(name)).results
        return [*(each for each in found if each.success), *told]

    return check


def _keeping(context: AbstractDataContext, suites: Mapping[str, ExpectationSuite]) -> Check:
    """A check whose complete results the context keeps and renders."""
    import great_expectations as gx  # noqa: PLC0415

    @cache
    def checkpoint(name: str) -> Checkpoint:
        definition = gx.ValidationDefinition(
            name=name,
            data=_batches(context, name),
            suite=context.suites.add_or_update(suites[name]),
        )
        return context.checkpoints.add_or_update(
            gx.Checkpoint(
                name=name,
                validation_definitions=[context.validation_definitions.add_or_update(definition)],
                actions=[gx.checkpoint.UpdateDataDocsAction(name="docs")],
                result_format=_complete(name),
            )
        )

    def check(name: str, frame: pd.DataFrame) -> Sequence[Any]:
        run = checkpoint(name).run(batch_parameters={"dataframe": frame})
        (found,) = run.run_results.values()
        return found.results

    return check


def _batches(context: AbstractDataContext, name: str) -> BatchDefinition[None]:
    asset = context.data_sources.add_or_update_pandas(name).add_dataframe_asset(name)
    return asset.add_batch_definition_whole_dataframe("run")


def _complete(name: str) -> dict[str, Any]:
    return {
        "result_format": "COMPLETE",
        "unexpected_index_column_names": KEYS.get(name, []),
    }
