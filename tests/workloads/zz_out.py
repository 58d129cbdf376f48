import sys
import tempfile
from pathlib import Path

from tests.workloads.corpus import PAIRS
from tests.workloads.lake import Tables, audit_pair
from tests.workloads.outcomes import outcomes

if __name__=="__main__":
    for n in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as d:
            t=Tables(Path(d))
            night=audit_pair(PAIRS[n],t)
            print("##",n)
            for f in night.findings: print("   ", f.severity, f.cause,f.columns, f.bytes_at_stake and round(f.bytes_at_stake/night.bytes_kept,3), f.fix.step, "|", (f.fix.advice or "")[:400], {k:v for k,v in f.evidence.items() if "lost" in k or "better" in k or "by_this" in k})
            for o in () if "-q" in sys.argv else outcomes(PAIRS[n],t):
                print("   OUT", o.finding.cause, o.finding.columns, "promised",o.promised,"saved",o.saved,"harmful",o.harmful)
