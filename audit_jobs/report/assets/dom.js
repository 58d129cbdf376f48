// Elements. Text only ever becomes a text node: names of tables and columns are anybody's.

function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => known(child) && child !== false));
  return element;
}

// A name that may be long, or written from right to left.
const named = (text, kind = "name") => h("bdi", { class: kind }, text);

function details(heading, fill, properties) {
  const element = h("details", properties, h("summary", null, heading));
  // The body is made when it is first looked at.
  element.addEventListener(
    "toggle",
    () => {
      const body = h("div", { class: "body" });
      element.append(body);
      fill(body);
    },
    { once: true },
  );
  return element;
}

function facts(pairs) {
  const shown = pairs.filter(([, value]) => known(value) && value !== "");
  return h(
    "dl",
    { class: "facts" },
    shown.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
  );
}

// Marks and their meanings; a screen reader has the numbers instead.
function legend(meanings) {
  return h(
    "p",
    { class: "legend", "aria-hidden": "true" },
    Object.entries(meanings).map(([kind, meaning]) => h("span", null, h("i", { class: kind }), meaning)),
  );
}

function say(message) {
  document.getElementById("said").textContent = message;
}

async function copy(text, button) {
  let copied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copied = copyBySelection(text);
  }
  button.textContent = copied ? "Copied" : "Not copied";
  say(copied ? "Copied to the clipboard" : "The browser did not allow copying");
  setTimeout(() => {
    button.textContent = "Copy";
  }, 2000);
}

// Where a browser gives pages from files no clipboard.
function copyBySelection(text) {
  const area = h("textarea", { class: "unseen", readonly: true });
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

function code(text, label, heading) {
  const button = h("button", { type: "button", class: "copy", "aria-label": `Copy ${label}` }, "Copy");
  button.addEventListener("click", () => copy(text, button));
  return h(
    "figure",
    { class: "code" },
    h("figcaption", null, heading, button),
    h("pre", { tabindex: "0", role: "region", "aria-label": label }, h("code", null, text)),
  );
}
