// Where the values of a column lie: one bar per file over the column's domain, by rank.

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const STEPS = 64 * 64 - 1;
const charts = new Set();

// As audit_jobs/report/ranges.py packs them; by their lower ends.
function unpack(text) {
  const ends = [];
  for (let at = 0; at < text.length; at += 2) {
    ends.push((DIGITS.indexOf(text[at]) * 64 + DIGITS.indexOf(text[at + 1])) / STEPS);
  }
  const ranges = [];
  for (let at = 0; at < ends.length; at += 2) ranges.push([ends[at], ends[at + 1]]);
  return ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

// How many of the other ranges each one overlaps.
function overlaps(ranges) {
  return ranges.map(
    ([low, high], at) =>
      ranges.filter((other, place) => place !== at && other[0] <= high && low <= other[1]).length,
  );
}

// A colour of the style sheet as it is now: a canvas knows no variables.
function colour(name) {
  const probe = byId("colour");
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

// Two thirds of the other files, or a third, in the way.
function colours(overlapping, others) {
  const steps = ["--range-few", "--range-some", "--range-many"].map(colour);
  return overlapping.map((found) => steps[Math.min(2, Math.floor((3 * found) / Math.max(others, 1)))]);
}

function clusteringChart(column) {
  const ranges = unpack(column.ranges);
  const overlapping = overlaps(ranges);
  const others = ranges.length - 1;
  const told = (at) =>
    `File ${at + 1} of ${ranges.length}: from ${percent(ranges[at][0])} to ${percent(ranges[at][1])} ` +
    `of the domain; overlaps ${count(overlapping[at])} of ${count(others)} others`;
  const canvas = h("canvas", {
    role: "img",
    tabindex: "0",
    "aria-label":
      `Ranges of ${plural(ranges.length, "file")} over the values of ${column.name}, by rank. ` +
      "Arrow keys walk through them.",
  });
  const line = h("p", { class: "readout", "aria-live": "polite" }, "\u00a0");
  const frame = h("div", { class: "plot" }, canvas);
  frame.style.blockSize = `${Math.max(110, 50 + ranges.length * 3)}px`;
  const chart = new Chart(canvas, {
    type: "bar",
    data: {
      labels: ranges.map((_, at) => `file ${at + 1}`),
      datasets: [
        {
          data: ranges,
          minBarLength: 2,
          barPercentage: ranges.length > 30 ? 1 : 0.8,
          categoryPercentage: ranges.length > 30 ? 0.9 : 0.8,
          borderSkipped: false,
        },
      ],
    },
    options: {
      indexAxis: "y",
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: "nearest", axis: "y", intersect: false },
      onHover: (_, active) => {
        line.textContent = active.length ? told(active[0].index) : "\u00a0";
      },
      scales: {
        x: {
          min: 0,
          max: 1,
          ticks: { maxTicksLimit: 5, callback: (value) => `${Math.round(value * 100)}%` },
          title: { display: true, text: "values of the column, by rank" },
          border: { display: false },
        },
        y: { display: false },
      },
      plugins: { legend: { display: false }, tooltip: { enabled: false } },
    },
  });
  chart.paint = () => {
    chart.data.datasets[0].backgroundColor = colours(overlapping, others);
    chart.data.datasets[0].hoverBackgroundColor = colour("--ink");
    Object.assign(chart.options.scales.x, { grid: { color: colour("--line") } });
    Object.assign(chart.options.scales.x.title, { color: colour("--muted"), font: { size: 11 } });
    Object.assign(chart.options.scales.x.ticks, { color: colour("--muted"), font: { size: 11 } });
    chart.update("none");
  };
  let at = -1;
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    at = Math.min(Math.max(at + step, 0), ranges.length - 1);
    chart.setActiveElements([{ datasetIndex: 0, index: at }]);
    chart.update("none");
    line.textContent = told(at);
  });
  charts.add(chart);
  return { chart, parts: [frame, line] };
}

function clustering(column) {
  const figures = facts([
    ["depth", known(column.depth) && `${decimal(column.depth)} files hold a given value`],
    ["overlap", known(column.overlap) && `${percent(column.overlap)} of other files`],
    ["with bounds", known(column.bounded) && percent(column.bounded)],
    ["same bound", column.common_bounds > 0 && percent(column.common_bounds)],
    ["impossible", column.impossible > 0 && plural(column.impossible, "file")],
  ].map(([name, value]) => [name, value === false ? undefined : value]));
  const figure = h(
    "figure",
    { class: "column" },
    h("figcaption", null, named(column.name, "column-name"), " ", h("span", { class: "type" }, column.type)),
    h("div", { class: "beside" }, h("div", { class: "picture" }), figures),
  );
  return figure;
}

// Charts need their place on the page to know their size.
function drawInto(figure, column) {
  const place = figure.querySelector(".picture");
  if (!column.ranges) {
    place.append(h("p", { class: "note" }, "No file has bounds for this column."));
    return;
  }
  const { chart, parts } = clusteringChart(column);
  place.append(...parts);
  chart.resize();
  chart.paint();
}

const paintCharts = () => charts.forEach((chart) => chart.paint());
