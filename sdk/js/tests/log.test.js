import assert from "node:assert/strict";
import test from "node:test";

import { log } from "../code-polishy/index.js";

test("tests see what was written", () => {
  log.warning("odd");
  log.debug(3);
  assert.deepEqual(log.take(), [
    ["warning", "odd"],
    ["debug", "3"],
  ]);
  assert.deepEqual(log.take(), []);
});
