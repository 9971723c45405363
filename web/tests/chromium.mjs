// Uses the lab as a visitor does, in Chromium without a display: node chromium.mjs CHROMIUM LAB FOLDER
// FOLDER gets pictures of the page, and the FMU that it hands out, where the C source is beside the page.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [program, lab, folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
const errors = [];
// Laws whose elements take a body inside.
const WITH_BODY = ["FrDyn2", "FrDyn2Linear", "LuGre", "Dahl", "Coulomb", "ModelicaFriction", "SimpackStickSlip", "AdamsStickSlip"];
page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
page.on("pageerror", (error) => errors.push(String(error)));

/** Waits until the page shows a card, and returns its plots as text. */
async function shown(state = "shown") {
  await page.waitForFunction((state) => document.body.dataset.state === state && !document.body.dataset.waits, state);
  return page.locator("#plots").innerHTML();
}

await page.goto(pathToFileURL(lab).href);
await shown();
const laws = await page.locator("#law option").allTextContents();
assert.equal(laws.length, 16);
for (const law of laws) {
  await page.selectOption("#law", law);
  await page.waitForFunction((law) => document.getElementById("card").value.includes(`law = "${law}"`), law);
  const plots = await shown();
  const count = plots.split("<svg").length - 1;
  assert.ok(count >= (WITH_BODY.includes(law) ? 4 : 1), `${law} has ${count} plots`);
}

// A slider moves the card and the curves.
await page.selectOption("#law", "FrDyn2");
const before = await shown();
const slider = page.locator("#main .row", { hasText: "mu_d" }).locator("input[type=range]");
await slider.focus();
for (let i = 0; i < 10; i++) await page.keyboard.press("ArrowLeft");
await page.waitForFunction(() => /mu_d = 0\.\d+/.test(document.getElementById("card").value));
assert.notEqual(await shown(), before);

// Pinned curves stay, in grey.
await page.click("#pin");
await page.selectOption("#law", "LuGre");
await page.waitForFunction(() => document.getElementById("plots").innerHTML.includes("pinned"));
await page.screenshot({ path: join(folder, "lab.png"), fullPage: true });
await page.click("#unpin");

// A fault is named by its line; the curves stay.
await page.fill("#card", 'name = "A"\nlaw = "LuGre"\n\n[parameters]\nmu_s = -1\n');
await shown("refused");
assert.match(await page.locator("#faults").innerText(), /line 5: .*mu_s/);

// A table that is dropped becomes the card's curve.
await page.fill("#card", 'name = "A"\nlaw = "LuGre"\n');
await shown();
const table = "v (m/s),mu\n0.001,0.5\n0.003,0.47\n0.01,0.4\n0.03,0.33\n0.1,0.3\n0.3,0.3\n";
const dropped = await page.evaluateHandle((text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "pad.csv"));
  return data;
}, table);
await page.dispatchEvent("body", "drop", { dataTransfer: dropped });
await page.waitForFunction(() => document.getElementById("card").value.includes("[0.01, 0.4]"));
assert.match(await shown(), /measured points/);

// Least squares put parameters of the law in its place, and say what is left.
await page.click("#fit");
await page.waitForFunction(() => /v_Stribeck = /.test(document.getElementById("card").value));
assert.ok(!(await page.locator("#card").inputValue()).includes("characteristic"));
assert.match(await shown(), /measured points/);
assert.match(await page.locator("#saved").innerText(), /Least squares over 6 points: .* %/);

// The link holds the card.
const link = page.url();
await page.goto("about:blank");
await page.goto(link);
await shown();
assert.ok((await page.locator("#card").inputValue()).includes("v_Stribeck = "));
assert.ok(await page.locator("#libraries").isHidden(), "a page from a file can load no library");

// A telephone in the dark: nothing is wider than the screen.
await page.emulateMedia({ colorScheme: "dark" });
await page.setViewportSize({ width: 390, height: 800 });
await page.waitForTimeout(200);
const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
assert.ok(widths[0] <= widths[1], `the page is ${widths[0]} wide on a screen of ${widths[1]}`);
await page.screenshot({ path: join(folder, "lab-phone.png"), fullPage: true });

if (existsSync(join(dirname(lab), "sources/FrDyn2.js"))) {
  await page.fill("#card", 'name = "FrDyn2"\nlaw = "FrDyn2"\n');
  await page.waitForFunction(() => document.getElementById("law").value === "FrDyn2");
  await shown();
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-fmu")]);
  await download.saveAs(join(folder, "FrDyn2.fmu"));
  assert.ok(readFileSync(join(folder, "FrDyn2.fmu")).length > 100_000);
}
assert.deepEqual(errors, []);
await browser.close();
console.log(`${laws.length} laws drawn`);
