// What queries kept in earlier windows: a bar for each, as high as the share, the last one tonight's.

const SLOT = 20;
const HEIGHT = 64;
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const HOUR = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

// A time of day only where there is one to tell.
function moment(start) {
  return start.includes("T00:00:00") ? DAY.format(new Date(start)) : HOUR.format(new Date(start));
}

// Of a picture of the page: the name of the namespace looks like an address.
const SVG = document.getElementById("picture").namespaceURI;

function svg(tag, properties, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// As audit_jobs/report/ranges.py packs them.
function unpackPoints(timeline) {
  const digit = (text, at) => DIGITS.indexOf(text[at]);
  const counted = (text, at) =>
    ((digit(text, 4 * at) * 64 + digit(text, 4 * at + 1)) * 64 + digit(text, 4 * at + 2)) *
    2 ** digit(text, 4 * at + 3);
  return report.windows.map((start, at) => ({
    start,
    share: (digit(timeline.shares, 2 * at) * 64 + digit(timeline.shares, 2 * at + 1)) / STEPS,
    kept: counted(timeline.kept, at),
    scans: counted(timeline.scans, at),
  }));
}

const pointText = ({ start, share, kept, scans }) =>
  scans
    ? `${moment(start)}: ${percent(share)}, ${size(kept)} kept by ${plural(scans, "scan")}`
    : `${moment(start)}: no scan`;

function timelineFigure(timeline, of) {
  const points = unpackPoints(timeline);
  const seen = points.filter((point) => point.scans);
  const shares = seen.map((point) => point.share);
  const bars = points.map((point, at) => {
    const height = point.scans ? Math.max(point.share * HEIGHT, 1.5) : 1.5;
    const kind = point.scans ? (at === points.length - 1 ? "tonight" : "past") : "none";
    return svg("rect", { class: kind, x: at * SLOT + 2, y: HEIGHT - height, width: SLOT - 4, height });
  });
  const picture = svg(
    "svg",
    {
      role: "img",
      tabindex: "0",
      class: "timeline",
      viewBox: `0 0 ${points.length * SLOT} ${HEIGHT + 1}`,
      preserveAspectRatio: "none",
      "aria-label":
        `Share of bytes that ${of} kept in ${plural(seen.length, "window")}: from ` +
        `${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}. Arrow keys walk through them.`,
    },
    svg("rect", { class: "track", x: 0, y: 0, width: points.length * SLOT, height: HEIGHT }),
    svg("line", { x1: 0, x2: points.length * SLOT, y1: HEIGHT, y2: HEIGHT }),
    ...bars,
  );
  const last = pointText(points[points.length - 1]);
  const line = h("p", { class: "readout", "aria-live": "polite" }, last);
  let at = points.length - 1;
  const point = (chosen) => {
    bars[at].classList.remove("chosen");
    at = Math.min(Math.max(chosen, 0), points.length - 1);
    bars[at].classList.add("chosen");
    line.textContent = pointText(points[at]);
  };
  const leave = () => {
    bars[at].classList.remove("chosen");
    at = points.length - 1;
    line.textContent = last;
  };
  picture.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    point(at + step);
  });
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    point(Math.floor(((event.clientX - box.left) / box.width) * points.length));
  });
  picture.addEventListener("pointerleave", leave);
  picture.addEventListener("blur", leave);
  return h(
    "div",
    { class: "over-time" },
    picture,
    h("p", { class: "ends", "aria-hidden": "true" }, h("span", null, moment(points[0].start)), h("span", null, moment(points[points.length - 1].start))),
    line,
  );
}

function fixedText(one) {
  const title = titleOf(one.cause);
  const saved = one.saved ? ` ${size(one.saved)} saved.` : "";
  return h(
    "li",
    null,
    h("b", null, one.state === "kept" ? title : `In part: ${title}`),
    `, last found on ${moment(one.last)}: ${plural(one.scans, "scan")} of the same queries kept ` +
      `${percent(one.after)} of all bytes; before it was ${percent(one.before)} ` +
      `(${percent(one.promised)} predicted).${saved}`,
  );
}
