// The passes of a table's scans: manifests, data files, row groups, and bytes of what is left.

const [SCANS, TOTAL, CONSIDERED, KEPT, ALLOWED] = [0, 1, 2, 3, 4];
const PASS_NAMES = {
  manifests: "Manifests",
  data_files: "Data files",
  row_groups: "Row groups",
  bytes: "Bytes",
};

const passOf = (scans, name) => scans.passes[report.passes.indexOf(name)];
const whole = (pass) => pass[TOTAL] ?? pass[CONSIDERED];

// Of what is considered where nobody knows all that there is: it is no less.
function shareKept(pass) {
  if (!whole(pass)) return "–";
  return `${known(pass[TOTAL]) ? "" : "≤ "}${percent(pass[KEPT] / whole(pass))}`;
}

function bar(pass) {
  const all = whole(pass);
  const element = h("span", { class: "bar", "aria-hidden": "true" });
  if (!all) return element;
  const part = (kind, share) => {
    const piece = h("i", { class: kind });
    piece.style.inlineSize = `${Math.min(share, 1) * 100}%`;
    element.append(piece);
  };
  part("considered", pass[CONSIDERED] / all);
  part("kept", pass[KEPT] / all);
  if (known(pass[ALLOWED])) {
    const mark = h("i", { class: "allowed" });
    mark.style.insetInlineStart = `${Math.min(pass[ALLOWED] / all, 1) * 100}%`;
    element.append(mark);
  }
  return element;
}

function funnel(scans) {
  const rows = report.passes.map((name) => {
    const pass = passOf(scans, name);
    const show = name === "bytes" ? size : count;
    const about = name === "row_groups" && scans.estimated ? "about " : "";
    if (!pass[SCANS]) {
      return h(
        "tr",
        null,
        h("th", { scope: "row" }, PASS_NAMES[name]),
        h("td", { colspan: "6", class: "unknown" }, "unknown for every scan"),
      );
    }
    const cell = (label, text, kind) => h("td", { "data-label": label, class: kind }, text);
    return h(
      "tr",
      null,
      h("th", { scope: "row" }, PASS_NAMES[name]),
      h("td", { class: "picture" }, bar(pass)),
      cell("in all", show(pass[TOTAL])),
      cell("considered", show(pass[CONSIDERED])),
      cell("kept", about + show(pass[KEPT]), "strong"),
      cell("kept of considered", pass[CONSIDERED] ? percent(pass[KEPT] / pass[CONSIDERED]) : "–"),
      cell("best case", show(pass[ALLOWED]), "could"),
    );
  });
  const unknown = report.passes
    .map((name) => [name, scans.count - passOf(scans, name)[SCANS]])
    .filter(([, missing]) => missing);
  return h(
    "div",
    { class: "funnel" },
    h(
      "table",
      null,
      h("caption", null, `Sums over ${plural(scans.count, "scan")}`),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, "pass"),
          h("td", { class: "picture" }),
          ["in all", "considered", "kept", "kept of considered", "best case"].map((name) =>
            h("th", { scope: "col" }, name),
          ),
        ),
      ),
      h("tbody", null, rows),
    ),
    legend({ considered: "considered", kept: "kept", allowed: "best case with current statistics" }),
    scans.estimated &&
      h("p", { class: "note" }, `Row groups of ${plural(scans.estimated, "scan")} are estimated from a sample of footers.`),
    unknown.map(([name, missing]) =>
      h("p", { class: "note" }, `${PASS_NAMES[name]} of ${plural(missing, "scan")} are unknown and left out.`),
    ),
  );
}
