"""The causes, one module each. None imports another; `prunescope.audit_jobs.findings.catalogue`
lists them."""
