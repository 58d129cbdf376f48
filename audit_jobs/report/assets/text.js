// Numbers and names as people read them; sizes as on the terminal (audit_jobs/units.py).

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];
const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const TENTHS = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

const known = (value) => value !== undefined && value !== null;
const count = (value) => (known(value) ? WHOLE.format(value) : "?");
const plural = (value, noun) => `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
const words = (name) => name.replaceAll("_", " ");

function size(bytes) {
  if (!known(bytes)) return "?";
  let scaled = bytes;
  let unit = 0;
  while (scaled >= 1000 && unit < UNITS.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return `${(unit ? TENTHS : WHOLE).format(scaled)} ${UNITS[unit]}`;
}

function percent(share) {
  if (!known(share)) return "?";
  if (share > 0 && share < 0.001) return "under 0.1%";
  return `${(share * 100).toFixed(share < 0.1 && share > 0 ? 1 : 0)}%`;
}

function decimal(value) {
  if (!known(value)) return "?";
  return value < 100 ? String(Math.round(value * 10) / 10) : WHOLE.format(value);
}

// A value of a finding's evidence; its name tells what the number is.
function evidenceText(name, value) {
  if (value === null) return "?";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    if (/bytes$/.test(name)) return size(value);
    if (/(ratio|share|bounds)(_|$)/.test(name) && value >= 0 && value <= 1) return percent(value);
    return Number.isInteger(value) ? count(value) : decimal(value);
  }
  if (Array.isArray(value)) return value.map((item) => evidenceText(name, item)).join(", ") || "none";
  if (typeof value === "object") {
    return (
      Object.entries(value)
        .map(([key, item]) => `${words(key)}: ${changeText(key, item)}`)
        .join("; ") || "none"
    );
  }
  return String(value);
}

// What changed is a pair: then, now.
function changeText(name, item) {
  if (!Array.isArray(item) || item.length !== 2) return evidenceText(name, item);
  return item.map((side) => evidenceText(name, side)).join(" → ");
}
