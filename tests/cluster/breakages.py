"""What is broken on purpose, and the reason that the cluster test then gives."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.cluster.control_plane import ControlPlane
from tests.cluster.installs import Release
from tests.helm.chart import CHART


@dataclass(frozen=True, slots=True)
class Breakage:
    """A change of one place of the chart, the ci values that show it, and what is told of it."""

    what: str
    values: str
    file: str
    old: str
    new: str
    reason: str

    def check(self, plane: ControlPlane, folder: Path) -> str:
        """Expects the broken chart to fail for the reason, and tells the line that has it."""
        name = self.what.replace(" ", "-")
        chart = folder / name
        shutil.copytree(CHART, chart)
        text = (chart / self.file).read_text()
        assert self.old in text, f"{self.file} has no {self.old!r}"
        (chart / self.file).write_text(text.replace(self.old, self.new))
        values = chart / f"{name}-values.yaml"
        shutil.copy(chart / "ci" / f"{self.values}-values.yaml", values)
        release = Release(plane, values, name)
        release.make_namespace()
        try:
            release.install(chart)
            release.check_deployments()
            release.check_cron_jobs()
            release.check_rights()
        except AssertionError as error:
            told = str(error)
        else:
            raise AssertionError(f"nothing is told of {self.what}")
        finally:
            with suppress(AssertionError):  # of what was never installed
                release.uninstall()
        for line in told.splitlines():
            if self.reason in line:
                return line.strip()
        raise AssertionError(f"of {self.what} another reason is told: {told}")


BREAKAGES = (
    Breakage(
        "a broken value",
        "executors",
        "ci/executors-values.yaml",
        "mode: kubernetes\n",
        "mode: kubernetes\n  timeZone: Mars/Olympus_Mons\n",
        "spec.timeZone: Invalid value",
    ),
    Breakage(
        "a broken right",
        "executors",
        "templates/audit/role.yaml",
        "resources: [pods]\n    verbs: [create, ",
        "resources: [pods]\n    verbs: [",
        "may not create pods",
    ),
    Breakage(
        "a broken schema",
        "monitoring",
        "templates/monitoring/prometheusrule.yaml",
        'include "prunescope.rules" .',
        'include "prunescope.rules" . | replace "groups:" "groupz:"',
        'unknown field \\"spec.groupz\\"',
    ),
    Breakage(
        "a broken security context",
        "minimal",
        "values.yaml",
        "runAsNonRoot: true",
        "runAsNonRoot: false",
        "violates PodSecurity",
    ),
)
