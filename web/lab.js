// The page of the lab. The text of the card is all that it keeps: sliders edit the text, and follow it.
"use strict";

const at = (id) => document.getElementById(id);
const MAIN = ["mu_s", "mu_d", "sigma_0", "k", "c_x", "v_Stribeck", "v_s", "v_S", "M_s", "M_d", "F_s", "F_d"];
const MAIN_COUNT = 5;
const WAIT = 30; // ms

// --- The module -----------------------------------------------------------------------------------------------------

let worker = null;
let ready = null;
let calls = new Map();
let lastCall = 0;

const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const unpacked = (stream) => new Response(stream.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();

/** Starts the module; anew after a panic. Calls wait for it. */
function start() {
  ready = load();
}

async function load() {
  const code = new Blob([WORKER], { type: "text/javascript" });
  worker = new Worker(URL.createObjectURL(code));
  const begun = new Promise((resolve) => {
    worker.onmessage = ({ data }) => {
      if (data === "ready") {
        worker.onmessage = ({ data }) => answered(data);
        resolve();
      } else {
        answered(data);
      }
    };
  });
  worker.postMessage(await unpacked(new Blob([bytesOf(MODULE)]).stream()));
  await begun;
}

function answered([number, result, fault, isDefect]) {
  const call = calls.get(number);
  calls.delete(number);
  if (isDefect) {
    at("faults").textContent = `A defect of this page: ${fault}. Please report it with the card. The page goes on.`;
    worker.terminate();
    calls = new Map();
    start();
  } else if (call) {
    fault === null ? call.resolve(result) : call.reject(new Error(fault));
  }
}

async function ask(name, ...given) {
  await ready;
  lastCall += 1;
  const number = lastCall;
  return new Promise((resolve, reject) => {
    calls.set(number, { resolve, reject });
    worker.postMessage([number, name, ...given]);
  });
}

// --- The card -------------------------------------------------------------------------------------------------------

/** The card's text with another value of a parameter, or of a key above all tables. */
function withValue(text, table, key, value) {
  const lines = text.split("\n");
  const isHeader = (line) => /^\s*\[/.test(line);
  let from = 0;
  if (table) {
    from = lines.findIndex((line) => line.trim().startsWith(`[${table}]`)) + 1;
    if (from === 0) {
      lines.push("", `[${table}]`);
      from = lines.length;
    }
  }
  let end = lines.findIndex((line, i) => i >= from && isHeader(line));
  end = end < 0 ? lines.length : end;
  const line = lines.findIndex((line, i) => i >= from && i < end && line.split("=")[0].trim() === key);
  const written = `${key} = ${value}`;
  if (line >= 0) {
    const comment = /#.*$/.exec(lines[line]);
    lines[line] = written + (comment ? `  ${comment[0]}` : "");
  } else {
    let place = end;
    while (place > from && lines[place - 1].trim() === "") place -= 1;
    lines.splice(place, 0, written);
  }
  return lines.join("\n");
}

const newCard = (law) => `name = "MyContact"\nlaw = "${law}"\n`;

function setCard(text) {
  at("card").value = text;
  changed();
}

let timer = 0;
function changed() {
  document.body.dataset.waits = "yes";
  clearTimeout(timer);
  timer = setTimeout(refresh, WAIT);
}

// --- Sliders --------------------------------------------------------------------------------------------------------

let defaults = new Map();

/** Range of a slider: the bounds, within two decades of the law's own value. */
function range(parameter) {
  const usual = defaults.get(parameter.name) ?? parameter.value;
  const size = Math.abs(usual) || Math.abs(parameter.value) || 1;
  const isLogarithmic = usual > 0 && !parameter.name.startsWith("mu");
  let low = isLogarithmic ? size / 100 : 0;
  let high = isLogarithmic ? size * 100 : Math.max(1.2, 2 * size);
  if (parameter.min !== null && usual >= 0) low = Math.max(low, parameter.min);
  if (parameter.max !== null) high = Math.min(high, parameter.max);
  return { low: Math.min(low, parameter.value), high: Math.max(high, parameter.value), isLogarithmic: isLogarithmic && low > 0 };
}

const STEPS = 1000;
const toPlace = ({ low, high, isLogarithmic }, value) =>
  STEPS * (isLogarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
const toValue = ({ low, high, isLogarithmic }, place) =>
  Number((isLogarithmic ? low * (high / low) ** (place / STEPS) : low + (high - low) * (place / STEPS)).toPrecision(3));

function slider(parameter, change) {
  const row = document.createElement("div");
  row.className = "row";
  const id = `p-${parameter.name}`;
  row.innerHTML = `<label></label><input type="number" step="any"><span class="unit"></span><input type="range" max="${STEPS}">`;
  const [label, number, unit, bar] = row.children;
  label.textContent = parameter.name;
  label.htmlFor = id;
  row.title = parameter.description;
  number.id = id;
  bar.setAttribute("aria-label", `${parameter.name}, ${parameter.description}`);
  unit.textContent = parameter.unit === "1" ? "" : parameter.unit;
  const limits = range(parameter);
  number.value = parameter.value;
  bar.value = toPlace(limits, parameter.value);
  bar.addEventListener("input", () => {
    number.value = toValue(limits, Number(bar.value));
    change(Number(number.value));
  });
  number.addEventListener("change", () => {
    if (number.value !== "") change(Number(number.value));
  });
  return row;
}

function showSliders(answer) {
  // The slider that is being moved stays.
  const active = document.activeElement;
  if (active && active.type === "range" && at("main").parentElement.contains(active)) return;
  const isMain = (parameter) => MAIN.includes(parameter.name);
  const rows = answer.parameters.filter((parameter) => !parameter.name.includes("."));
  const main = rows.filter(isMain).slice(0, MAIN_COUNT - 1);
  const setter = (parameter) => (value) => setCard(withValue(at("card").value, "parameters", parameter.name, value));
  const force = { name: "normal_force", unit: "N", value: answer.normal_force, min: 1e-3, max: null, description: "normal force of the plots" };
  const setForce = (value) => setCard(withValue(at("card").value, null, "normal_force", value));
  const top = answer.states_friction ? [] : [slider(force, setForce)];
  at("main").replaceChildren(...top, ...main.map((parameter) => slider(parameter, setter(parameter))));
  at("others").replaceChildren(
    ...rows.filter((parameter) => !main.includes(parameter)).map((parameter) => slider(parameter, setter(parameter))),
  );
}

// --- Plots ----------------------------------------------------------------------------------------------------------

/** Text of the card whose curves are drawn in grey. */
let pinned = "";

/** Points of the table that was dropped, as JSON. */
let table = "";

function draw(pictures) {
  at("plots").innerHTML = pictures.map((picture) => `<figure>${picture}</figure>`).join("");
}

// --- Answers --------------------------------------------------------------------------------------------------------

let asked = 0;

async function refresh() {
  asked += 1;
  const mine = asked;
  const text = at("card").value;
  const answer = JSON.parse(await ask("examine", text, pinned, table));
  if (mine !== asked) return;
  delete document.body.dataset.waits;
  at("faults").textContent = answer.faults.map((fault) => `line ${fault.line}: ${fault.text}`).join("\n");
  document.body.dataset.state = answer.faults.length ? "refused" : "shown";
  if (answer.faults.length) return;
  history.replaceState(null, "", `#${encodeURIComponent(text)}`);
  at("law").value = answer.law;
  at("title").textContent = laws.find((law) => law.name === answer.law)?.title ?? "";
  const own = laws.find((law) => law.name === answer.law);
  defaults = new Map((own?.parameters ?? []).map((parameter) => [parameter.name, parameter.value]));
  showSliders(answer);
  const rows = answer.meanings.map((row) => {
    const tr = document.createElement("tr");
    for (const cell of [row.name, `${Number(row.value.toPrecision(4))} ${row.unit}`, row.meaning]) {
      tr.insertCell().textContent = cell;
    }
    return tr;
  });
  at("meanings").tBodies[0].replaceChildren(...rows);
  const remarks = answer.remarks.map((text) => Object.assign(document.createElement("li"), { textContent: text }));
  at("remarks").replaceChildren(...remarks);
  draw(answer.pictures);
}

// --- Files ----------------------------------------------------------------------------------------------------------

function save(content, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** C source of a law: a script beside the page, because a page from a file may load nothing else. */
function source(law) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `sources/${law}.js`;
    script.onload = () => resolve(bytesOf(self.bristleSources[law]));
    script.onerror = () => reject(new Error(`sources/${law}.js is not beside this page; the whole site has it`));
    document.head.append(script);
  });
}

/** Saves the FMU of the card with these parts, pairs of name and bytes, and licences, or says what is missing. */
async function saveFmu(parts, licences) {
  const text = at("card").value;
  try {
    const [given, terms] = await Promise.all([parts(), licences()]);
    const name = JSON.parse(await ask("examine", text, "", "")).name;
    const bytes = new Uint8Array(await new Blob(given.map(([, part]) => part)).arrayBuffer());
    const sizes = given.map(([, part]) => part.byteLength);
    const fmu = await ask("fmu", text, given.map(([name]) => name), sizes, bytes, terms);
    save(fmu, `${name}.fmu`, "application/octet-stream");
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", fmu));
    at("saved").textContent = `${name}.fmu, SHA-256 ${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  } catch (error) {
    at("saved").textContent = error.message;
  }
}

const saveWithSource = () =>
  saveFmu(
    async () => [["sources", await source(at("law").value)]],
    async () => LICENCES,
  );

/** A file of the folder of libraries on the site. */
async function fetched(name) {
  const answer = await fetch(`libraries/${name}`);
  if (!answer.ok) throw new Error(`${answer.url} cannot be loaded: ${answer.status} ${answer.statusText}`);
  return answer;
}

function saveWithLibraries() {
  const names = [...at("platforms").querySelectorAll(":checked")].map((box) => box.value);
  if (!names.length) {
    at("saved").textContent = "No platform is chosen; choose one at least.";
    return;
  }
  const library = async (name) => [name, await unpacked((await fetched(`${name}.gz`)).body)];
  saveFmu(
    () => Promise.all(names.map(library)),
    async () => (await fetched("licences.json")).text(),
  );
}

/** Offers the libraries of the site; a page from a file can load none. */
function offerLibraries() {
  at("libraries").hidden = !LIBRARIES.length || !location.protocol.startsWith("http");
  const system = ["Windows", "Mac", "Linux"].findIndex((name) => navigator.userAgent.includes(name));
  for (const { name, size } of LIBRARIES) {
    const box = Object.assign(document.createElement("input"), { type: "checkbox", value: name });
    box.checked = name === ["win64", "darwin64", "linux64"][system];
    const label = document.createElement("label");
    label.append(box, ` ${name}, ${(size / 1e6).toFixed(1)} MB`);
    at("platforms").append(label);
  }
}

const withoutCurve = (text) => `${text.replace(/\n*\[characteristic\][^[]*points = \[[\s\S]*?\n\]\n/, "\n").trimEnd()}\n`;

/** Draws a table of friction over velocity; it becomes the card's measured curve where the law takes one. */
async function takeTable(file) {
  const found = JSON.parse(await ask("curve", new Uint8Array(await file.arrayBuffer()), at("card").value));
  if (found.faults.length) {
    at("faults").textContent = found.faults.join("\n");
    return;
  }
  table = JSON.stringify(found.points.filter(([v]) => v !== 0));
  at("fit").hidden = false;
  at("saved").textContent = found.remarks.join(" ");
  if (!laws.find((law) => law.name === at("law").value)?.takes_curve) {
    changed();
    return;
  }
  const points = found.points.map(([v, mu]) => `  [${v}, ${mu}],`).join("\n");
  setCard(`${withoutCurve(at("card").value)}\n[characteristic]  # ${file.name}\npoints = [\n${points}\n]\n`);
}

/** The law's own parameters in place of a measured curve. */
async function fitTable() {
  const card = withoutCurve(at("card").value);
  try {
    const { values, sentence } = JSON.parse(await ask("fitted", card, table));
    const set = (text, [name, value]) => withValue(text, "parameters", name, Number(value.toPrecision(6)));
    setCard(values.reduce(set, card));
    at("saved").textContent = sentence;
  } catch (error) {
    at("saved").textContent = error.message;
  }
}

// --- Beginning ------------------------------------------------------------------------------------------------------

let laws = [];

async function begin() {
  start();
  laws = JSON.parse(await ask("laws"));
  at("law").replaceChildren(...laws.map((law) => new Option(law.name, law.name)));
  at("preset").replaceChildren(new Option("…", ""), ...Object.keys(PRESETS).map((name) => new Option(name, name)));
  at("law").addEventListener("change", () => setCard(newCard(at("law").value)));
  at("preset").addEventListener("change", () => at("preset").value && setCard(PRESETS[at("preset").value]));
  at("card").addEventListener("input", changed);
  at("reset").addEventListener("click", () => setCard(newCard(at("law").value)));
  at("pin").addEventListener("click", () => {
    pinned = at("card").value;
    at("unpin").hidden = false;
    changed();
  });
  at("unpin").addEventListener("click", () => {
    pinned = "";
    at("unpin").hidden = true;
    changed();
  });
  at("save-fmu").addEventListener("click", saveWithSource);
  at("save-libraries").addEventListener("click", saveWithLibraries);
  offerLibraries();
  at("fit").addEventListener("click", fitTable);
  at("save-card").addEventListener("click", () => save(at("card").value, "card.toml", "text/plain"));
  at("save-svg").addEventListener("click", async () => save(await ask("picture", at("card").value), "friction.svg", "image/svg+xml"));
  at("save-csv").addEventListener("click", async () => save(await ask("csv", at("card").value), "friction.csv", "text/csv"));
  at("table").addEventListener("change", () => at("table").files[0] && takeTable(at("table").files[0]));
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dragging");
  });
  document.addEventListener("dragleave", () => document.body.classList.remove("dragging"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dragging");
    const [file] = event.dataTransfer.files;
    if (file) takeTable(file);
  });
  const linked = decodeURIComponent(location.hash.slice(1));
  setCard(linked || newCard("FrDyn2"));
}

begin();
