// The module in its own thread. Each message is [number, function, ...arguments]; the answer is [number, result, fault].
"use strict";

const ready = new Promise((resolve) => {
  self.onmessage = (event) => resolve(event.data);
}).then((bytes) => wasm_bindgen({ module_or_path: bytes }));

ready.then(
  () => {
    self.onmessage = ({ data: [number, name, ...given] }) => {
      try {
        self.postMessage([number, wasm_bindgen[name](...given), null]);
      } catch (error) {
        // A refusal is a text. Everything else is a panic, after which the module is of no use.
        const isRefusal = typeof error === "string";
        self.postMessage([number, null, isRefusal ? error : wasm_bindgen.defect() || String(error), !isRefusal]);
      }
    };
    self.postMessage("ready");
  },
  (error) => self.postMessage([0, null, String(error), true]),
);
