// @ts-check
// A runner for programs that print one line a test: `ok NAME` or `not ok NAME`.

import { suiteRunner, whole } from "./code-polishy/index.js";

export default suiteRunner({
  // Asks the program for plain text.
  plan: () => ({ variables: { NO_COLOR: "1" } }),

  judge(_suite, execution) {
    // Output that was cut is not the whole truth: count on the exit status alone.
    const output = whole(execution.output);
    const cases = output === null ? null : output.split("\n").flatMap(testCase);
    const failed = (cases ?? []).filter((test) => test.outcome === "failed").length;
    const ran = cases === null ? "an unknown number of tests" : `${cases.length} tests`;
    return { outcome: outcome(execution.exit, failed), cases, summary: `${ran}, ${failed} failed` };
  },
});

/**
 * @param {import("./code-polishy/types.js").Exit} exit
 * @param {number} failed
 */
function outcome(exit, failed) {
  if (failed > 0) return exit.tag === "code" && exit.val !== 0 ? "failed" : "broken";
  // When it ended badly and no test says why, it did not get to its end.
  return exit.tag === "code" && exit.val === 0 ? "passed" : "broken";
}

/**
 * The test that a line tells of, or nothing.
 * @param {string} line
 * @returns {import("./code-polishy/types.js").TestCase[]}
 */
function testCase(line) {
  const [, not, name] = /^(not )?ok (.*)$/.exec(line) ?? [];
  const plain = (name ?? "").replace(/\p{Cc}/gu, "").trim();
  if (plain === "" || plain.length > 1000) return [];
  return [{ name: plain, outcome: not ? "failed" : "passed" }];
}
