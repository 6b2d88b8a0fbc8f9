/** From what a plugin returns to the contract's values: what is absent becomes its default, and what fits nothing is named before it could trap. */

import { Failure } from "./failure.js";
import { bytes, wellFormed } from "./utf8.js";

const OUTCOMES = ["passed", "failed", "broken", "no-tests"];
const CASE_OUTCOMES = ["passed", "failed", "skipped"];
const ROLES = [
  ...["generated", "product-input", "fixture", "test", "development", "plan", "changelog"],
  ...["current-state-documentation", "production-source"],
];

/** @param {any} said an `Invocation` */
export function invocation(said) {
  const { arguments: words = [], variables = {}, reports = [] } = object("what `plan` returned", said);
  return {
    arguments: list("`arguments`", words).map((word) => string("an argument", word)),
    variables: Object.entries(variables).map(([name, value]) => ({ name, value: string(`the variable \`${name}\``, value) })),
    reports: list("`reports`", reports).map(({ path, maxBytes }) => ({
      path: string("a report's `path`", path),
      maxBytes: count("a report's `maxBytes`", maxBytes),
    })),
  };
}

/** @param {any} said a `Verdict` */
export function verdict(said) {
  const { outcome, cases = null, summary } = object("what `judge` returned", said);
  return {
    outcome: word("`outcome`", outcome, OUTCOMES),
    cases: cases === null ? null : list("`cases`", cases).map(testCase),
    summary: string("`summary`", summary),
  };
}

/** @param {any} said a `TestCase` */
function testCase(said) {
  const { name, outcome, message = null, path = null, line = null } = object("a case", said);
  return {
    name: string("a case's `name`", name),
    outcome: word("a case's `outcome`", outcome, CASE_OUTCOMES),
    message: message === null ? null : string("a case's `message`", message),
    path: path === null ? null : string("a case's `path`", path),
    line: line === null ? null : count("a case's `line`", line),
  };
}

/**
 * @param {any} said a `Role`, or nothing
 * @param {string} path
 */
export function role(said, path) {
  return said === null || said === undefined ? null : word(`the role of \`${path}\``, said, ROLES);
}

/** @param {any} said a list of `Artifact` */
export function artifacts(said) {
  return list("what `render` returned", said).map(({ name, mediaType, content }) => ({
    name: string("an artifact's `name`", name),
    mediaType: string("an artifact's `mediaType`", mediaType),
    content: content instanceof Uint8Array ? content : bytes(string("an artifact's `content`", content)),
  }));
}

/**
 * @param {string} what
 * @param {any} value
 */
function object(what, value) {
  if (value instanceof Promise) throw bad(`${what} is a promise, and a plugin has nothing to wait for: write a function without \`async\``);
  if (typeof value !== "object" || value === null) throw bad(`${what} is ${shown(value)} and should be an object`);
  return value;
}

/**
 * @param {string} what
 * @param {any} value
 * @returns {any[]}
 */
function list(what, value) {
  if (!Array.isArray(value)) throw bad(`${what} is ${shown(value)} and should be an array`);
  return value;
}

/**
 * @param {string} what
 * @param {any} value
 */
function string(what, value) {
  if (typeof value !== "string") throw bad(`${what} is ${shown(value)} and should be a string`);
  return wellFormed(value);
}

/**
 * @param {string} what
 * @param {any} value
 * @param {string[]} allowed
 */
function word(what, value, allowed) {
  if (!allowed.includes(value)) throw bad(`${what} is ${shown(value)} and should be one of ${allowed.join(", ")}`);
  return value;
}

/**
 * @param {string} what
 * @param {any} value
 */
function count(what, value) {
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) throw bad(`${what} is ${shown(value)} and should be a whole number`);
  return value;
}

/** @param {any} value */
function shown(value) {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : typeof value === "object" && value !== null ? "an object" : String(value);
}

/** @param {string} message */
function bad(message) {
  return new Failure("bad-answer", message, "mend the plugin");
}
