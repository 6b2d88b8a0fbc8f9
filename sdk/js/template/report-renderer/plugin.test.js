import assert from "node:assert/strict";
import test from "node:test";

import { text } from "./code-polishy/index.js";
import plugin from "./plugin.js";

test("each finding has one line", () => {
  const findings = [{ subject: "unit", message: "1\n2" }];
  const report = { protocol: "code-polishy-report/v1", gate: "merge", status: "failed", findings };
  const [artifact] = plugin.render(JSON.stringify(report), "{}");
  assert.equal(text(artifact.content), "merge gate: failed\n- unit: 1 2\n");
});

test("what is no report is refused", () => {
  assert.throws(() => plugin.render("{}", "{}"), { code: "unknown-report" });
});
