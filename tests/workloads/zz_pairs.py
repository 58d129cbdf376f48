import sys
import tempfile
from pathlib import Path

from tests.workloads.corpus import PAIRS
from tests.workloads.judge import judge
from tests.workloads.lake import Tables, audit_pair
from tests.workloads.side_by_side import side_by_side


def run(pairs):
    out=[]
    with tempfile.TemporaryDirectory() as d:
        t=Tables(Path(d))
        for p in pairs:
            try:
                n=audit_pair(p,t)
                a=judge(p,n)
                out.append((p.name, a.right, str(a), [f"{f.severity} {f.cause} {f.columns} {None if f.bytes_at_stake is None else round(f.bytes_at_stake/n.bytes_kept,3)} | {f.fix.step} | {f.fix.advice} | {list(f.fix.spark)}" for f in n.findings]))
            except Exception as e:
                out.append((p.name, False, "ERROR %r"%e, []))
    return out
if __name__=="__main__":
    names=sys.argv[2:]
    every=int(sys.argv[1]) if sys.argv[1].isdigit() else 1
    ps=[PAIRS[n] for n in names] if names else [PAIRS[n] for n in sorted(PAIRS)][::every]
    by={}
    for p in ps: by.setdefault(p.layout,[]).append(p)
    res=[r for some in side_by_side(run,by.values()) for r in some]
    bad=[r for r in res if not r[1]]
    for n,_,s,f in sorted(bad):
        print("##",n,"::",s)
        if names or (len(sys.argv)>1 and "-v" in sys.argv[1]):
            for x in f: print("    ",x)
    if names:
        for n,ok,s,f in sorted(res):
            if ok:
                print("OK",n)
                for x in f: print("    ",x)
    print(len(res), "pairs", len(bad), "not right")
