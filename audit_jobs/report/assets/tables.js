// Tables: a line each, and the drill-down when one is opened.

function tableRow(table, at) {
  const found = findingsOf(at);
  const pass = passOf(table.scans, "bytes");
  const heading = h(
    "span",
    { class: "table-head" },
    named(table.name, "name table-name"),
    h("span", { class: "share" }, bar(pass), h("span", { class: "share-text" }, shareText(table, pass))),
    known(table.stake) ? stakeText(table.stake) : h("span", { class: "stake unknown" }, "–"),
    h("span", { class: "marks" }, severityCounts(found)),
  );
  return details(heading, (body) => fillTable(body, table, found), {
    class: "table",
    id: `table-${at}`,
    "data-address": addressOfTable(table),
  });
}

function shareText(table, pass) {
  if (table.failed) return "could not be read";
  if (!table.scans.count) return "no scans";
  if (!pass[SCANS]) return "bytes unknown";
  const share = whole(pass) ? `, ${shareKept(pass)} of all` : "";
  return `${size(pass[KEPT])} kept${share}`;
}

function severityCounts(found) {
  return SEVERITIES.map((severity) => [severity, found.filter((f) => f.severity === severity).length])
    .filter(([, number]) => number)
    .map(([severity, number]) => h("span", { class: `severity ${severity}` }, `${count(number)} ${severity}`));
}

function fillTable(body, table, found) {
  const section = (title, ...content) => h("section", null, h("h3", null, title), ...content);
  if (table.failed) body.append(h("p", { class: "warning" }, table.failed));
  if (table.scans.count) body.append(section("Funnel", funnel(table.scans)));
  const fixed = report.fixed.filter((one) => tableOf(one) === table);
  if (fixed.length) body.append(section("Fixed", h("ul", { class: "fixed" }, fixed.map(fixedText))));
  if (table.timeline) {
    body.append(
      section(
        "Earlier windows",
        h("p", { class: "note" }, "Share of bytes kept per window. Lower is better."),
        timelineFigure(table.timeline, `scans of ${table.name}`),
      ),
    );
  }
  if (found.length) {
    body.append(section("Findings", found.map((finding) => findingRow(finding, { withTable: false }))));
  }
  if (table.columns) {
    const figures = table.columns.map(clustering);
    body.append(
      section(
        "Clustering",
        h(
          "p",
          { class: "note" },
          "One bar per data file, from lower to upper bound (by rank). Short, separate bars prune well; " +
            "long, overlapping bars do not.",
        ),
        legend({
          "range-few": "overlaps under a third of the others",
          "range-some": "up to two thirds",
          "range-many": "more",
        }),
        figures,
      ),
    );
    figures.forEach((figure, at) => drawInto(figure, table.columns[at]));
  }
  if (table.queries) body.append(section("Queries that read most", table.queries.map(query)));
  if (table.health) body.append(section("Layout", layout(table.health)));
}

function query(shape) {
  const bytes = passOf(shape, "bytes");
  const files = passOf(shape, "data_files");
  return h(
    "div",
    { class: "query" },
    h("pre", { tabindex: "0", role: "region", "aria-label": `Filter of query ${shape.fingerprint}` },
      h("code", null, shape.where ?? "no filter")),
    h(
      "p",
      { class: "note" },
      `${plural(shape.count, "scan")} kept ${count(files[KEPT])} of ${count(whole(files))} files, ${size(bytes[KEPT])}`,
      known(bytes[ALLOWED]) && bytes[ALLOWED] < bytes[KEPT] && `; the statistics allow ${size(bytes[ALLOWED])}`,
      " · ",
      h("code", null, shape.fingerprint),
    ),
    shape.timeline && timelineFigure(shape.timeline, `query ${shape.fingerprint}`),
  );
}

function layout(health) {
  const mean = health.data_files ? health.bytes / health.data_files : undefined;
  const deletes = [
    [health.position_delete_files, "position delete file"],
    [health.equality_delete_files, "equality delete file"],
    [health.deletion_vectors, "deletion vector"],
  ].filter(([number]) => number);
  return facts([
    ["size", `${size(health.bytes)} in ${plural(health.data_files, "file")}, ${count(health.records)} rows`],
    ["mean file", known(mean) ? `${size(mean)}; writers aim at ${size(health.target_file_bytes)}` : undefined],
    ["small files", health.small_files ? count(health.small_files) : undefined],
    ["old specs", health.old_spec_files ? `${plural(health.old_spec_files, "file")} under an old partition spec` : undefined],
    [
      "partitions",
      known(health.partitions)
        ? `about ${count(health.partitions)}, the median of ${decimal(health.partition_files)} files and ${size(health.partition_bytes)}`
        : undefined,
    ],
    [
      "manifests",
      count(health.manifests) +
        (known(health.manifest_depth) ? `, of which ${decimal(health.manifest_depth)} hold a given partition` : ""),
    ],
    ["deletes", deletes.map(([number, noun]) => plural(number, noun)).join(", ")],
    ["measured", health.measured < 1 ? `${percent(health.measured)} of the manifests` : undefined],
  ]);
}
