"""Errors of a machine that ran out of something, told as that."""

from __future__ import annotations

import errno

import click
import pytest
from click.testing import CliRunner
from pyspark.errors import PySparkException

from prunescope.audit_jobs.commands.line import Commands
from prunescope.audit_jobs.commands.machine import what_ran_out


@pytest.mark.parametrize(
    ("error", "told"),
    [
        pytest.param(OSError(errno.ENOSPC, "x"), "a disk is full", id="a full disk"),
        pytest.param(OSError(errno.EDQUOT, "x"), "a disk is full", id="a quota"),
        pytest.param(OSError(errno.ENOMEM, "x"), "there is no memory left", id="no fork"),
        pytest.param(MemoryError(), "there is no memory left", id="memory"),
        pytest.param(OSError(errno.EMFILE, "x"), "too many files are open", id="files"),
        pytest.param(
            PySparkException("'Jane': java.io.IOException: No space left on device"),
            "a disk is full",
            id="a full disk of an executor",
        ),
        pytest.param(
            PySparkException("'Jane': java.lang.OutOfMemoryError: Java heap space"),
            "there is no memory left",
            id="memory of a JVM",
        ),
        pytest.param(
            PySparkException(
                "'Jane': org.apache.spark.SparkException: Not enough memory to build and broadcast "
                "the table to all worker nodes."
            ),
            "there is no memory left",
            id="memory for a broadcast",
        ),
        pytest.param(
            PySparkException("'Jane': is bigger than spark.driver.maxResultSize (1024.0 MiB)"),
            "what Spark's tasks answer is more than spark.driver.maxResultSize",
            id="results of tasks",
        ),
        pytest.param(
            PySparkException(
                "'Jane': org.apache.spark.SparkException: Python worker exited unexpectedly "
                "(crashed)"
            ),
            "a worker of Spark was ended from outside",
            id="a worker that the system ended",
        ),
        pytest.param(
            PySparkException("'Jane': ExecutorLostFailure (executor 1 exited caused by one of"),
            "a worker of Spark was ended from outside",
            id="an executor that the system ended",
        ),
    ],
)
def test_what_a_machine_ran_out_of_is_no_fault_to_report(error: Exception, told: str) -> None:
    @click.command()
    def broken() -> None:
        raise RuntimeError("'Jane'") from error

    result = CliRunner().invoke(Commands(commands=[broken]), ["broken"])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"prunescope: stopped: {told}")
    assert "report" not in result.stderr
    assert "Jane" not in result.output


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(OSError(errno.EBADF, "x"), id="another error of the system"),
        pytest.param(ValueError("No space left on device"), id="words that may be of a query"),
        pytest.param(PySparkException("gone"), id="another error of Spark"),
    ],
)
def test_other_errors_are_to_be_reported(error: Exception) -> None:
    assert what_ran_out(error) is None
