// Prints what the lab's module calculates in random steps of cards, as JSON: node node.mjs GLUE < CARDS, a list in JSON
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

const read = (name) => readFileSync(join(process.argv[2], name));
// The glue is made for a page: it declares one variable.
const bristle = runInThisContext(`${read("bristle_web.js")}; wasm_bindgen`);
bristle.initSync({ module: read("bristle_web_bg.wasm") });
const cards = JSON.parse(readFileSync(0));
process.stdout.write(JSON.stringify(cards.map((card) => bristle.transcript(card))));
