"""The main file for spark-submit, as in `spark-submit … job.py audit --config audit.yaml`."""

from prunescope.audit_jobs.cli import main

if __name__ == "__main__":
    main()
