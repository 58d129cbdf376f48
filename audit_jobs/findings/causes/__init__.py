"""The causes, one module each. None imports another; `audit_jobs.findings.catalogue` lists them."""
