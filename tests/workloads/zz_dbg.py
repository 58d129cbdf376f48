import sys
import tempfile
from pathlib import Path

import audit_jobs.findings.judge as j
import audit_jobs.findings.prescribing as pr
import tests.workloads.unseen as a
import tests.workloads.unseen_second as b
from audit_jobs.findings.choosing import _effort, bytes_won
from audit_jobs.findings.proposing import proposed
from tests.workloads.corpus import PAIRS
from tests.workloads.lake import Tables, audit_pair
from tests.workloads.model import Pair

T={t.name:t for t in (*a.TRUTHS,*b.TRUTHS)}
orig=pr.prescribed
def spy(usage, findings, tried={}):
    read=sum(g.bytes_read for g in usage.groups)
    print("  suspected:", [(f.cause,f.columns,f.bytes_at_stake and round(f.bytes_at_stake/read,3)) for f in findings], "days",usage.days_seen)
    h=usage.health
    print("  health: part",h.partitions,h.partition_bytes,h.target_file_bytes,h.data_files)
    rows=[]
    for c in proposed(usage,findings):
        w=bytes_won(usage,findings,c,tried); k=tried.get(c.layout)
        rows.append(((w is not None and w/read) or -9, f"{c.added}{c.dropped}{c.order}{c.keeps}{'Z' if c.is_zorder else ''}{c.rounded} effort {_effort(c)} won {None if k is None else round(k.won/read,3)} lost {None if k is None else round(k.lost.bytes/read,3)} worse {k and k.is_worse} yet {k and k.is_worse_yet} open {k and round(k.opening_won/read,3)}"))
    for r in sorted(rows,reverse=True)[:14]: print("     ",round(r[0],3),r[1])
    print("   n proposals",len(rows))
    return orig(usage,findings,tried)
j.prescribed=spy
of=j._found
def fspy(cause,usage,policy,day):
    r=list(cause.find(usage))
    for f in r: print("   raw",cause.id,f.columns,f.bytes_at_stake,f.scans,f.severity, f.fix.change.acts)
    return of(cause,usage,policy,day)
j._found=fspy
if __name__=="__main__":
    for n in sys.argv[1:]:
        if n in T:
            t=T[n]; pair=Pair(t.name,t.layout,t.queries,days=t.days)
        else: pair=PAIRS[n]
        print("##",n)
        with tempfile.TemporaryDirectory() as d:
            night=audit_pair(pair,Tables(Path(d)))
        for f in night.findings: print("   ", f.severity, f.cause,f.columns, f.bytes_at_stake and round(f.bytes_at_stake/night.bytes_kept,3), f.fix.step)
