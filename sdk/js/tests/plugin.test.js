import assert from "node:assert/strict";
import test from "node:test";

import { Failure, lines, pathRoles, reportRenderer, suiteRunner, whole } from "../code-polishy/index.js";
import { execution, fact, stream, suite } from "../code-polishy/testing.js";

const MANIFEST = { name: "sample", version: "1.0.0", summary: "A sample", kind: "suite-runner" };

/** The plugin's exports, and what it sends to the host. */
function served(definition) {
  const sent = [];
  const exports = suiteRunner(definition).component(MANIFEST, (level, message) => sent.push([level, message]));
  return { ...exports, sent };
}

/** The failure that a call ends with. */
function failure(call) {
  try {
    call();
  } catch (thrown) {
    return thrown;
  }
  return assert.fail("it answers");
}

test("a plugin describes itself by its manifest", () => {
  const { describe } = served({ options: { depth: { type: "integer" } }, judge: () => ({}) });
  const { optionsSchema, ...rest } = describe();
  assert.deepEqual(rest, { name: "sample", version: "1.0.0", summary: "A sample" });
  assert.equal(JSON.parse(optionsSchema).properties.depth.type, "integer");
});

test("what is absent from an answer is its default", () => {
  const { suiteRunner: runner } = served({ judge: () => ({ outcome: "passed", cases: [{ name: "a", outcome: "passed" }], summary: "" }) });
  assert.deepEqual(runner.plan(suite()), { arguments: [], variables: [], reports: [] });
  const cases = [{ name: "a", outcome: "passed", message: null, path: null, line: null }];
  assert.deepEqual(runner.judge(suite(), execution(0)), { outcome: "passed", cases, summary: "" });
});

test("an uncaught exception is a failure, and its place is logged", () => {
  const { suiteRunner: runner, sent } = served({ judge: () => null.boom });
  const thrown = failure(() => runner.judge(suite(), execution(0)));
  assert.equal(thrown.code, "uncaught-exception");
  assert.match(thrown.message, /^TypeError: /);
  assert.equal(sent.length, 1);
  assert.equal(sent[0][0], "error");
  assert.match(sent[0][1], /TypeError: .*\n.*plugin\.test\.js/);
});

test("a failure of the plugin's own is passed on as it is, and is no mistake to log", () => {
  const { suiteRunner: runner, sent } = served({
    judge() {
      throw new Failure("too-long", "the output was cut", "print less");
    },
  });
  const thrown = failure(() => runner.judge(suite(), execution(0)));
  assert.deepEqual(thrown, { code: "too-long", message: "the output was cut", hint: "print less" });
  assert.deepEqual(sent, []);
});

test("options are refused before the plugin is asked", () => {
  const { suiteRunner: runner } = served({ judge: () => assert.fail("is asked") });
  for (const call of [() => runner.plan(suite({ options: { a: 1 } })), () => runner.judge(suite({ options: { a: 1 } }), execution(0))]) {
    assert.equal(failure(call).code, "bad-options");
  }
});

test("an answer that is none is named, not trapped on", () => {
  const says = (answer) => failure(() => suiteRunner({ judge: () => answer }).judge(suite(), execution(0))).message;
  assert.match(says(undefined), /`judge` returned is undefined and should be an object/);
  assert.match(says(Promise.resolve()), /without `async`/);
  assert.match(says({ outcome: "ok", summary: "" }), /`outcome` is "ok" and should be one of passed, failed, broken, no-tests/);
  assert.match(says({ outcome: "passed", summary: 1 }), /`summary` is 1 and should be a string/);
  assert.match(says({ outcome: "failed", summary: "", cases: [{ name: "a", outcome: "failed", line: -1 }] }), /`line` is -1/);
  assert.match(failure(() => reportRenderer({ render: () => "text" }).render("{}", "{}")).message, /should be an array/);
  assert.match(failure(() => pathRoles({ role: () => "tests" }).classify([fact("a")], "{}")).message, /the role of `a` is "tests"/);
});

test("half of a surrogate pair, which no component may return, is replaced", () => {
  const { summary } = suiteRunner({ judge: () => ({ outcome: "passed", summary: "a\ud800" }) }).judge(suite(), execution(0));
  assert.equal(summary, "a\ufffd");
});

test("a plugin without its function, or of another kind than its manifest says, is not built", () => {
  assert.throws(() => suiteRunner({}), /suiteRunner needs a function `judge`/);
  assert.throws(() => pathRoles({ role: () => null }).component(MANIFEST, () => {}), /calls the plugin a suite-runner, its module makes a path-roles/);
});

test("lines that were cut are left out", () => {
  assert.deepEqual(lines(stream("a\r\nb\n\nc")), ["a", "b", "", "c"]);
  assert.deepEqual(lines(stream("")), []);
  const cut = { ...stream("one\ntwo\nthr"), tail: stream("ix\nseven\n").head, total: 100 };
  assert.equal(whole(cut), null);
  assert.deepEqual(lines(cut), ["one", "two", "seven"]);
  const joined = { ...stream("one\nt"), tail: stream("wo").head, total: 7 };
  assert.deepEqual(lines(joined), ["one", "two"]);
});
