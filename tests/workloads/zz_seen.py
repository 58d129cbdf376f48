import sys
import tempfile
from pathlib import Path

import tests.workloads.unseen as a
import tests.workloads.unseen_second as b
from tests.workloads.lake import Tables, audit_pair
from tests.workloads.model import Pair

T={t.name:t for t in (*a.TRUTHS,*b.TRUTHS)}
if __name__=="__main__":
    for n in sys.argv[1:]:
        t=T[n]
        pair=Pair(t.name,t.layout,t.queries,days=t.days)
        with tempfile.TemporaryDirectory() as d:
            night=audit_pair(pair,Tables(Path(d)))
        print("##",n,"TRUTH",t.first,t.share,"ALSO",[x.text for x in t.also_fine]); print("   why:",t.why)
        for f in night.findings: print("   ", f.severity, f.cause,f.columns, f.bytes_at_stake and round(f.bytes_at_stake/night.bytes_kept,3), f.fix.step, "|", f.fix.rewrite, "|",(f.fix.advice or "")[:500], {k:v for k,v in f.evidence.items() if "lost" in k or "better" in k or "by_this" in k})
