/**
 * Between bytes and text. QuickJS has no `TextDecoder`, and suites do not always print UTF-8.
 *
 * A call's fuel is limited and a JavaScript engine inside WebAssembly spends it quickly, so the built-in functions do the work wherever the text
 * allows it.
 */

/** What stands for bytes that are no UTF-8. */
const REPLACEMENT = "\ufffd";

/** Arguments that one call takes for sure. */
const CHUNK = 4096;

/**
 * The text of UTF-8 bytes; what is no UTF-8 becomes U+FFFD, as in `TextDecoder`.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function text(bytes) {
  const characters = latin1(bytes);
  return isAscii(bytes) ? characters : characters.replace(/[\x80-\xff]+/g, decoded);
}

/**
 * The UTF-8 bytes of a text; half a surrogate pair becomes U+FFFD.
 * @param {string} text
 * @returns {Uint8Array}
 */
export function bytes(text) {
  const characters = text.replace(/[^\0-\x7f]+/gu, (run) => unescape(encodeURIComponent(wellFormed(run))));
  // @ts-ignore: newer than the library that editors know
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(btoa(characters));
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}

/**
 * The same text without halves of surrogate pairs, which no component may return.
 * @param {string} text
 * @returns {string}
 */
export function wellFormed(text) {
  return text.replace(/\p{Cs}/gu, REPLACEMENT);
}

/**
 * One character a byte.
 * @param {Uint8Array} bytes
 */
function latin1(bytes) {
  // @ts-ignore: newer than the library that editors know
  if (bytes.toBase64) return atob(bytes.toBase64());
  let characters = "";
  // @ts-ignore: a typed array is as good as a list of arguments
  for (let at = 0; at < bytes.length; at += CHUNK) characters += String.fromCharCode.apply(null, bytes.subarray(at, at + CHUNK));
  return characters;
}

/** @param {Uint8Array} bytes */
function isAscii(bytes) {
  let seen = 0;
  const eights = bytes.length - (bytes.length % 8);
  for (let at = 0; at < eights; at += 8) {
    seen |= bytes[at] | bytes[at + 1] | bytes[at + 2] | bytes[at + 3] | bytes[at + 4] | bytes[at + 5] | bytes[at + 6] | bytes[at + 7];
  }
  for (let at = eights; at < bytes.length; at += 1) seen |= bytes[at];
  return seen < 0x80;
}

/**
 * The text of a run of bytes from 0x80.
 * @param {string} run one character a byte
 */
function decoded(run) {
  try {
    return decodeURIComponent(escape(run));
  } catch {
    return repaired(run);
  }
}

/**
 * The same for bytes that are not all UTF-8.
 * @param {string} run
 */
function repaired(run) {
  let text = "";
  for (let at = 0; at < run.length; ) {
    const length = whole(run, at);
    text += length > 0 ? decodeURIComponent(escape(run.slice(at, at + length))) : REPLACEMENT;
    at += length > 0 ? length : Math.max(1, -length);
  }
  return text;
}

/**
 * The bytes of the character that starts here; when it is none, less those that could have begun one.
 * @param {string} run
 * @param {number} at
 */
function whole(run, at) {
  const first = run.charCodeAt(at);
  const more = first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 0;
  for (let index = 1; index <= more; index += 1) {
    const next = run.charCodeAt(at + index);
    const [low, high] = index === 1 ? seconds(first) : [0x80, 0xbf];
    // Past the end there is no number, which no comparison holds for.
    if (!(next >= low && next <= high)) return -index;
  }
  return more === 0 ? 0 : more + 1;
}

/**
 * What may follow a first byte: overlong forms, surrogates and what lies beyond Unicode are no UTF-8.
 * @param {number} first
 * @returns {[number, number]}
 */
function seconds(first) {
  if (first === 0xe0) return [0xa0, 0xbf];
  if (first === 0xed) return [0x80, 0x9f];
  if (first === 0xf0) return [0x90, 0xbf];
  if (first === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}
