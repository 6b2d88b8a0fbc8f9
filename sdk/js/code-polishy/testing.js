/** The contract's values with everything that a test does not care about filled in. */

import { bytes } from "./utf8.js";

/** @param {Partial<import("./types.js").Suite> | {options?: object}} [fields] `options` is an object here */
export function suite({ options = {}, ...fields } = {}) {
  return { name: "unit", kind: "unit", argv: ["./test"], cwd: ".", ...fields, options: JSON.stringify(options) };
}

/**
 * A run that ended with this status and printed this.
 * @param {number} status
 * @param {string} [output]
 * @param {string} [errors]
 * @param {Record<string, string>} [files] by path
 * @returns {import("./types.js").Execution}
 */
export function execution(status, output = "", errors = "", files = {}) {
  const collected = Object.entries(files).map(([path, text]) => ({ path, content: bytes(text), truncated: false }));
  return { exit: { tag: "code", val: status }, output: stream(output), errors: stream(errors), files: collected };
}

/**
 * A stream that is whole.
 * @param {string} text
 */
export function stream(text) {
  const head = bytes(text);
  return { head, tail: new Uint8Array(), total: head.length };
}

/**
 * A file.
 * @param {string} path
 * @param {string} [content]
 * @returns {import("./types.js").PathFact}
 */
export function fact(path, content = "") {
  const head = bytes(content);
  return { path, kind: "file", executable: false, size: head.length, head, attributes: [] };
}
