import assert from "node:assert/strict";
import test from "node:test";

import { log } from "../code-polishy/index.js";
import { removeSystem } from "../code-polishy/system.js";

test("what would trap throws with words, and dates that are named still work", () => {
  const { Date: dates, console: output, performance: clock } = globalThis;
  const random = Math.random;
  // QuickJS has none.
  delete globalThis.console;
  try {
    removeSystem();
    for (const ask of [() => Date.now(), () => new Date(), () => performance.now()]) assert.throws(ask, /a plugin has no clock/);
    assert.throws(() => Math.random(), /a plugin has no randomness/);
    assert.equal(new Date(0).toISOString(), "1970-01-01T00:00:00.000Z");
    assert.equal(new Date("2001-02-03").getTime(), Date.UTC(2001, 1, 3));
    console.log("found", 3, { a: 1 });
    console.warn("odd");
  } finally {
    Object.assign(globalThis, { Date: dates, console: output });
    Math.random = random;
    Object.defineProperty(globalThis, "performance", { value: clock, configurable: true });
  }
  assert.deepEqual(log.take(), [
    ["info", 'found 3 {"a":1}'],
    ["warning", "odd"],
  ]);
});
