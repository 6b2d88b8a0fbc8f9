/** What a suite printed. The host keeps the first and the last bytes of a long stream. */

import { text } from "./utf8.js";

/** @typedef {import("./types.js").Stream} Stream */

/**
 * The whole stream as text, or `null` when the host had to leave out its middle.
 * @param {Stream} stream
 * @returns {string | null}
 */
export function whole(stream) {
  return isWhole(stream) ? text(joined(stream)) : null;
}

/**
 * The stream's lines without their ends. When the middle is missing, so are the two lines that were cut.
 * @param {Stream} stream
 * @returns {string[]}
 */
export function lines(stream) {
  if (isWhole(stream)) return split(text(joined(stream)));
  const head = split(text(stream.head).replace(/[^\n]*$/, ""));
  const tail = split(text(stream.tail).replace(/^[^\n]*\n?/, ""));
  return [...head, ...tail];
}

/** @param {Stream} stream */
function isWhole(stream) {
  return stream.head.length + stream.tail.length === Number(stream.total);
}

/** @param {Stream} stream */
function joined(stream) {
  if (stream.tail.length === 0) return stream.head;
  const bytes = new Uint8Array(stream.head.length + stream.tail.length);
  bytes.set(stream.head);
  bytes.set(stream.tail, stream.head.length);
  return bytes;
}

/** @param {string} text */
function split(text) {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines[lines.length - 1] === "") lines.pop();
  return lines;
}
