import assert from "node:assert/strict";
import test from "node:test";

import { bytes, text } from "../code-polishy/utf8.js";

/** Every string of up to three bytes out of those at which a decoder has to decide. */
function* sequences() {
  const edges = [0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff];
  for (const a of edges) {
    for (const b of edges) {
      for (const c of edges) {
        for (const d of [0x41, 0x80, 0xbf]) yield Uint8Array.of(a, b, c, d);
      }
    }
  }
}

test("bytes become the text that a standard decoder makes of them", () => {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for (const sequence of sequences()) assert.equal(text(sequence), decoder.decode(sequence), String(sequence));
  assert.equal(text(new Uint8Array()), "");
  const long = "aé€😀".repeat(5000);
  assert.equal(text(new TextEncoder().encode(long)), long);
});

test("text becomes the bytes that a standard encoder makes of it", () => {
  for (const sample of ["", "a\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}", "half \ud800 pair \udc00"]) {
    assert.deepEqual(bytes(sample), new TextEncoder().encode(sample));
  }
});
