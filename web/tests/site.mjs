// Looks at every page of the site in Chromium without a display: node site.mjs CHROMIUM SITE FOLDER
// Links and anchors, errors, width on a telephone, contrast in light and dark, search, the lab over http. FOLDER gets
// pictures, and an FMU with the libraries of the site, where it has any.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const [program, site, folder] = process.argv.slice(2);
const AXE = createRequire(import.meta.url).resolve("axe-core");
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json" };
// Pages of mdBook's own: all pages in one to print, the frame of the list, the page of wrong addresses.
const OWN = ["print.html", "toc.html", "404.html"];
const LAB = "lab/lab.html";

const server = createServer((request, response) => {
  const path = join(site, decodeURIComponent(new URL(request.url, "http://site").pathname));
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
  if (!existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": KINDS[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const home = `http://127.0.0.1:${server.address().port}/`;

const files = readdirSync(site, { recursive: true }).filter((name) => statSync(join(site, name)).isFile());
const pages = files.filter((name) => name.endsWith(".html") && !OWN.includes(name));
const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
const context = await browser.newContext({ bypassCSP: true });
const page = await context.newPage();
const faults = [];
let at = "";
page.on("console", (message) => message.type() === "error" && faults.push(`${at}: ${message.text()}`));
page.on("pageerror", (error) => faults.push(`${at}: ${error}`));

/** Faults of a page by axe-core, of these rules. */
async function judge(name, rules) {
  await page.addScriptTag({ path: AXE });
  const found = await page.evaluate((rules) => axe.run(document, { runOnly: rules, resultTypes: ["violations"] }), rules);
  for (const { id, nodes } of found.violations) {
    faults.push(`${name}: ${id}, ${nodes.length} times, as ${nodes[0].html.slice(0, 120)} ${nodes[0].any[0]?.message ?? ""}`);
  }
}

const anchors = new Map();
const links = [];
for (const name of pages) {
  at = name;
  for (const [scheme, width] of [["light", 1280], ["dark", 390]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(home + name);
    if (name === LAB) await page.waitForFunction(() => document.body.dataset.state === "shown" && !document.body.dataset.waits);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) faults.push(`${name}: ${wide} pixels wider than a screen of ${width}`);
    // Other rules judge the frame of mdBook.
    const rules = name === LAB ? ["wcag2a", "wcag2aa"] : ["color-contrast", "link-in-text-block"];
    await judge(`${name}, ${scheme}`, rules);
    if ([LAB, "index.html", "docs/elements.html", "elements/FrDyn2.html", "docs/papers.html"].includes(name)) {
      await page.screenshot({ path: join(folder, `site-${name.replace(/\W/g, "-")}-${scheme}.png`) });
    }
  }
  anchors.set(name, new Set(await page.evaluate(() => [...document.querySelectorAll("[id], a[name]")].map((node) => node.id || node.name))));
  const here = await page.evaluate(() => [...document.querySelectorAll("a[href], img[src], iframe[src]")].map((node) => node.href || node.src));
  links.push(...here.map((link) => [name, link]));
}
for (const [name, link] of links) {
  if (!link.startsWith(home)) continue;
  const { pathname, hash } = new URL(link);
  const path = decodeURIComponent(pathname.slice(1));
  const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  if (!files.includes(file)) faults.push(`${name}: ${link} leads nowhere`);
  const anchor = decodeURIComponent(hash.slice(1));
  if (anchor && file !== LAB && anchors.has(file) && !anchors.get(file).has(anchor)) faults.push(`${name}: ${link} has no such anchor`);
}

// What follows may wait in vain.
if (faults.length) console.log(faults.join("\n"));

// Search finds an element's page.
at = "search";
await page.setViewportSize({ width: 1280, height: 900 });
await page.goto(`${home}index.html?search=regularised`);
await page.waitForFunction(() => document.querySelector("#mdbook-searchresults a"));

// A card of the site opens in the lab.
at = "lab";
await page.goto(`${home}cards/measured/index.html`);
await page.locator('a[href*="lab.html#"]').first().click();
await page.waitForFunction(() => document.body.dataset.state === "shown" && !document.body.dataset.waits);
assert.match(await page.locator("#card").inputValue(), /^# /);

if (files.includes("lab/libraries/licences.json")) {
  await page.fill("#card", 'name = "FrDyn2"\nlaw = "FrDyn2"\n');
  await page.waitForFunction(() => document.getElementById("law").value === "FrDyn2" && !document.body.dataset.waits);
  await page.click("#libraries summary");
  for (const box of await page.locator("#platforms input").all()) await box.setChecked((await box.inputValue()) === "linux64");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-libraries")]);
  await download.saveAs(join(folder, "libraries.fmu"));
}
await browser.close();
server.close();
assert.deepEqual(faults, []);
console.log(`${pages.length} pages and ${links.length} links, as they must be`);
