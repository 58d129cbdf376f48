// The lists, what they are filtered by, and where an address leads.

const report = JSON.parse(document.getElementById("report").textContent);
const PAGE = 25;
const byId = (id) => document.getElementById(id);
const filter = { text: "", table: "", cause: "", severity: "", suppressed: false };

const shownFindings = () => report.findings.filter((finding) => filter.suppressed || !finding.suppressed);
const byTable = new Map();
for (const finding of report.findings) {
  if (!byTable.has(finding.table)) byTable.set(finding.table, []);
  byTable.get(finding.table).push(finding);
}
const findingsOf = (at) =>
  (byTable.get(at) ?? []).filter((finding) => filter.suppressed || !finding.suppressed);

// Texts to search, made when somebody first searches.
const texts = new Map();
function textOf(item, parts) {
  if (!texts.has(item)) texts.set(item, parts().filter(Boolean).join("\n").toLowerCase());
  return texts.get(item);
}
const findingText = (finding) =>
  textOf(finding, () => [
    tableOf(finding).name,
    titleOf(finding.cause),
    finding.cause,
    finding.sentence,
    finding.conjunct,
    finding.step,
    finding.rewrite,
    finding.advice,
    finding.fingerprint,
    finding.key,
    ...(finding.columns ?? []),
    ...(finding.fix_spark ?? []),
    ...(finding.fix_trino ?? []),
  ]);
const tableText = (table) =>
  textOf(table, () => [
    table.name,
    ...(table.columns ?? []).map((column) => column.name),
    ...(table.queries ?? []).flatMap((shape) => [shape.fingerprint, shape.where]),
  ]);

const wanted = () => filter.text.toLowerCase().split(/\s+/).filter(Boolean);
const holds = (text, all) => all.every((word) => text.includes(word));
const severe = (finding) =>
  !filter.severity || SEVERITIES.indexOf(finding.severity) <= SEVERITIES.indexOf(filter.severity);
const caused = (finding) => (!filter.cause || finding.cause === filter.cause) && severe(finding);
const onTable = (table) => table.name.toLowerCase().includes(filter.table.toLowerCase());

function matchingFindings() {
  const all = wanted();
  return shownFindings().filter(
    (finding) => caused(finding) && onTable(tableOf(finding)) && holds(findingText(finding), all),
  );
}

function matchingTables() {
  const all = wanted();
  return report.tables
    .map((table, at) => ({ table, at }))
    .filter(({ table, at }) => {
      const found = findingsOf(at).filter(caused);
      if ((filter.cause || filter.severity) && !found.length) return false;
      return (
        onTable(table) &&
        (holds(tableText(table), all) || found.some((finding) => holds(findingText(finding), all)))
      );
    });
}

const lists = {
  tables: { matching: matchingTables, row: ({ table, at }) => tableRow(table, at), noun: "table" },
  findings: {
    matching: matchingFindings,
    row: (finding) => findingRow(finding, { withTable: true }),
    noun: "finding",
  },
};
let current = "tables";

function show(name) {
  const { matching, row, noun } = lists[name];
  const place = byId(`${name}-list`);
  const more = byId(`${name}-more`);
  const found = matching();
  byId(`${name}-count`).textContent = count(found.length);
  if (name === current) {
    byId("matches").textContent = found.length ? "" : `No ${noun} matches.`;
    say(`${plural(found.length, noun)} shown`);
  }
  place.replaceChildren();
  charts.forEach((chart) => {
    if (!chart.canvas?.isConnected) {
      chart.destroy();
      charts.delete(chart);
    }
  });
  let next = 0;
  const page = () => {
    place.append(...found.slice(next, next + PAGE).map((item) => h("li", null, row(item))));
    next += PAGE;
    more.hidden = next >= found.length;
    more.textContent = `Show ${count(Math.min(PAGE, found.length - next))} more of ${count(found.length)}`;
  };
  more.onclick = () => {
    const last = place.lastElementChild;
    page();
    last?.nextElementSibling?.querySelector("summary").focus();
  };
  lists[name].until = (test) => {
    const at = found.findIndex(test);
    while (at >= 0 && next <= at) page();
    return at >= 0;
  };
  page();
}

const showAll = () => Object.keys(lists).forEach(show);

function select(name, { focus = false } = {}) {
  current = name;
  for (const each of Object.keys(lists)) {
    const tab = byId(`${each}-tab`);
    tab.setAttribute("aria-selected", String(each === name));
    tab.tabIndex = each === name ? 0 : -1;
    byId(each).hidden = each !== name;
    if (each === name && focus) tab.focus();
  }
  byId("matches").textContent = byId(`${name}-list`).children.length ? "" : `No ${lists[name].noun} matches.`;
}

function clear() {
  for (const name of ["text", "table", "cause", "severity"]) {
    byId(`filter-${name}`).value = "";
    filter[name] = "";
  }
}

// Names in an address that somebody wrote by hand need not be encoded.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// #finding-KEY and #table=NAME open what they name, whatever the filter.
function follow() {
  const [, kind, written] = /^#(finding-|table=)(.+)$/.exec(location.hash) ?? [];
  if (!kind) return;
  if (kind === "finding-") open("finding", written);
  else {
    const at = report.tables.findIndex((table) => table.name === decoded(written));
    if (at >= 0) open("table", String(at));
    else say(`This report has no table ${decoded(written)}`);
  }
}

function open(kind, name) {
  clear();
  if (kind === "finding" && report.findings.some((f) => f.key === name && f.suppressed)) {
    byId("filter-suppressed").checked = true;
    filter.suppressed = true;
  }
  showAll();
  const list = `${kind}s`;
  select(list);
  const is = kind === "finding" ? (item) => item.key === name : (item) => String(item.at) === name;
  if (!lists[list].until(is)) return;
  const element = byId(`${kind}-${name}`);
  element.open = true;
  element.scrollIntoView({ block: "start" });
  element.querySelector("summary").focus({ preventScroll: true });
}

// The address of what was opened last, to be shared; no step of the browser's history.
function setUpAddresses() {
  document.addEventListener(
    "toggle",
    ({ target }) => {
      const address = target.dataset?.address;
      if (!address) return;
      if (target.open) history.replaceState(null, "", address);
      else if (location.hash === address) history.replaceState(null, "", location.pathname + location.search);
    },
    true,
  );
}

// From one line of a list to the next, and out of what is open.
function setUpArrows() {
  document.addEventListener("keydown", (event) => {
    const line = event.target.closest?.(".rows > li");
    if (!line) return;
    const heading = line.querySelector("summary");
    if (event.key === "Escape" && heading.parentElement.open) {
      heading.parentElement.open = false;
      heading.focus();
    }
    if (event.target !== heading) return;
    const lines = line.parentElement.children;
    const to = {
      ArrowDown: line.nextElementSibling,
      ArrowUp: line.previousElementSibling,
      Home: lines[0],
      End: lines[lines.length - 1],
    }[event.key];
    if (!to) return;
    event.preventDefault();
    to.querySelector("summary").focus();
  });
}

function setUpFilters() {
  const causes = new Map();
  for (const finding of report.findings) causes.set(finding.cause, (causes.get(finding.cause) ?? 0) + 1);
  const options = [...causes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  byId("filter-cause").append(
    ...options.map(([cause, number]) => h("option", { value: cause }, `${titleOf(cause)} (${number})`)),
  );
  byId("table-names").append(...report.tables.map((table) => h("option", { value: table.name })));
  for (const name of ["text", "table", "cause", "severity"]) {
    byId(`filter-${name}`).addEventListener("input", (event) => {
      filter[name] = event.target.value.trim();
      showAll();
    });
  }
  byId("filter-suppressed").addEventListener("change", (event) => {
    filter.suppressed = event.target.checked;
    showAll();
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    clear();
    showAll();
    byId("filter-text").focus();
  });
  byId("suppressed").hidden = !report.findings.some((finding) => finding.suppressed);
}

function setUpTabs() {
  const names = Object.keys(lists);
  names.forEach((name, at) => {
    const tab = byId(`${name}-tab`);
    tab.addEventListener("click", () => select(name));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) select(names[(at + step + names.length) % names.length], { focus: true });
    });
  });
}

// The reader's choice is kept where the browser lets pages of files keep anything.
function setUpTheme() {
  const button = byId("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let opposite;
  const apply = (theme) => {
    if (theme) document.documentElement.dataset.theme = theme;
    const isDark = (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
    button.textContent = isDark ? "Light mode" : "Dark mode";
    opposite = isDark ? "light" : "dark";
    paintCharts();
  };
  let kept = null;
  try {
    kept = localStorage.getItem("prunescope-theme");
  } catch {
    // Then it is kept as long as the page is open.
  }
  apply(kept === "dark" || kept === "light" ? kept : null);
  dark.addEventListener("change", () => apply(null));
  // Paper is always light.
  matchMedia("print").addEventListener("change", paintCharts);
  button.addEventListener("click", () => {
    const chosen = opposite;
    apply(chosen);
    try {
      localStorage.setItem("prunescope-theme", chosen);
    } catch {
      // As above.
    }
  });
}

setUpTheme();
setUpFilters();
setUpTabs();
setUpArrows();
showAll();
select("tables");
addEventListener("hashchange", follow);
follow();
setUpAddresses();
// An address that is there already is no change of it.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="#"]');
  if (link && link.getAttribute("href") === location.hash) follow();
});
