// Findings: a line each, and all there is to know of one when it is opened.

const SEVERITIES = ["critical", "high", "medium", "low", "info"];

const titleOf = (cause) => report.titles[cause] ?? cause;
const tableOf = (finding) => report.tables[finding.table];
// The same in every report that has the table, unlike its place in this one.
const addressOfTable = (table) => `#table=${encodeURIComponent(table.name)}`;
const severityMark = (severity) => h("span", { class: `severity ${severity}` }, severity);

function stakeText(bytes) {
  return known(bytes)
    ? h("span", { class: "stake" }, h("b", null, size(bytes)), " avoidable")
    : h("span", { class: "stake unknown" }, "stake unknown");
}

function findingRow(finding, { withTable }) {
  const heading = h(
    "span",
    { class: "finding-head" },
    severityMark(finding.severity),
    h("span", { class: "finding-title" }, titleOf(finding.cause)),
    withTable && named(tableOf(finding).name, "name table-name"),
    stakeText(finding.bytes_at_stake),
    h("span", { class: "sentence" }, finding.sentence),
    finding.conjunct && h("code", { class: "condition" }, finding.conjunct),
  );
  return details(heading, (body) => body.append(...findingBody(finding, withTable)), {
    class: "finding",
    // The list of findings has the address; the same one below its table has none.
    id: withTable && `finding-${finding.key}`,
    "data-address": withTable && `#finding-${finding.key}`,
  });
}

// A query of those that it is about, with a link to its page in the engine.
function exampleOf(finding) {
  if (!finding.example_source) return undefined;
  const name = finding.example_query_id ?? finding.example_place ?? "a query";
  const link = finding.example_link;
  const isWeb = link && /^https?:\/\//.test(link);
  return [
    isWeb ? h("a", { href: link, rel: "noreferrer noopener", target: "_blank" }, named(name)) : named(name),
    ` (${finding.example_source})`,
    finding.example_user && [" by ", named(finding.example_user)],
    finding.example_started_at && ` at ${finding.example_started_at}`,
  ].filter(Boolean);
}

function findingBody(finding, withTable) {
  const label = (what) => `${what} of finding ${finding.rank}`;
  const statements = (list) => list.map((statement) => `${statement};`).join("\n");
  const evidence = Object.entries(finding.evidence ?? {}).map(([name, value]) => [
    words(name),
    evidenceText(name, value),
  ]);
  return [
    facts([
      ["do", finding.step],
      ["read", `${size(finding.bytes_read)} by ${plural(finding.scans, "scan")}`],
      ["lost at", finding.lost_at && words(finding.lost_at)],
      ["confidence", finding.confidence],
      ["columns", finding.columns && named(finding.columns.join(", "))],
      ["query", finding.fingerprint && h("code", null, finding.fingerprint)],
      ["for example", exampleOf(finding)],
      ["suppressed", finding.suppressed],
    ]),
    finding.conjunct && code(finding.conjunct, label("the condition"), "Condition that prevents pruning"),
    finding.rewrite && code(finding.rewrite, label("the rewrite"), "Write"),
    h(
      "div",
      { class: "statements" },
      finding.fix_spark && code(statements(finding.fix_spark), label("the Spark SQL"), "Fix in Spark"),
      finding.fix_trino && code(statements(finding.fix_trino), label("the Trino SQL"), "Fix in Trino"),
    ),
    finding.advice && h("p", { class: "advice" }, finding.advice),
    evidence.length > 0 && h("section", { class: "evidence" }, h(withTable ? "h3" : "h4", null, "Evidence"), facts(evidence)),
    h(
      "p",
      { class: "links" },
      h(
        "a",
        {
          href: `${report.documentation}#${encodeURIComponent(finding.cause)}`,
          target: "_blank",
          rel: "noopener noreferrer",
        },
        `About “${titleOf(finding.cause)}”`,
      ),
      withTable && h("a", { href: addressOfTable(tableOf(finding)) }, "The table"),
    ),
  ].filter(Boolean);
}
