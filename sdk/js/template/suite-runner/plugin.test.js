import assert from "node:assert/strict";
import test from "node:test";

import { execution, suite } from "./code-polishy/testing.js";
import plugin from "./plugin.js";

test("each line is a case", () => {
  const verdict = plugin.judge(suite(), execution(1, "ok adds\nnot ok divides\nnoise\n"));
  assert.equal(verdict.outcome, "failed");
  assert.equal(verdict.summary, "2 tests, 1 failed");
  assert.deepEqual(verdict.cases.map((found) => found.name), ["adds", "divides"]);
});

test("a bad end without a failed case is broken", () => {
  assert.equal(plugin.judge(suite(), execution(2, "ok adds\n")).outcome, "broken");
  assert.equal(plugin.judge(suite(), execution(0, "ok adds\n")).outcome, "passed");
});
