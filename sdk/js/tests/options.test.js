import assert from "node:assert/strict";
import test from "node:test";

import { read, schema } from "../code-polishy/options.js";

const OPTIONS = {
  depth: { type: "integer", default: 1 },
  style: { type: "string", enum: ["short", "long"] },
  names: { type: "array", items: { type: "string" }, default: [] },
  nested: { type: "object", properties: { deep: { type: "boolean" } } },
};

function refusal(said) {
  try {
    read(OPTIONS, said);
  } catch (failure) {
    assert.equal(failure.code, "bad-options");
    return failure.message;
  }
  return assert.fail(`${said} is taken`);
}

test("what is absent is the default, and nobody shares it", () => {
  const options = read(OPTIONS, "{}");
  assert.deepEqual(options, { depth: 1, style: undefined, names: [], nested: undefined });
  options.names.push("mine");
  assert.deepEqual(read(OPTIONS, "{}").names, []);
});

test("what is described is read", () => {
  const said = '{"depth":2,"names":["a"],"nested":{"deep":true},"style":"long"}';
  assert.deepEqual(read(OPTIONS, said), { depth: 2, style: "long", names: ["a"], nested: { deep: true } });
});

test("what is not described is refused by its name", () => {
  assert.equal(refusal('{"dept":2}'), "unknown option `dept`");
  assert.equal(refusal('{"__proto__":{}}'), "unknown option `__proto__`");
  assert.equal(refusal('{"nested":{"deeper":1}}'), "unknown option `nested.deeper`");
  assert.equal(refusal('{"depth":1.5}'), "the option `depth` is no integer");
  assert.equal(refusal('{"names":["a",1]}'), "the option `names.1` is no string");
  assert.equal(refusal('{"nested":[]}'), "the option `nested` is no object");
  assert.equal(refusal('{"style":"tall"}'), 'the option `style` is none of "short", "long"');
  assert.equal(refusal('{"depth":null}'), "the option `depth` is no integer");
  for (const said of ["", "[]", "null", "1"]) refusal(said);
});

test("the schema is closed at every depth", () => {
  const described = JSON.parse(schema(OPTIONS));
  assert.equal(described.additionalProperties, false);
  assert.equal(described.properties.nested.additionalProperties, false);
  assert.deepEqual(described.properties.depth, OPTIONS.depth);
  assert.deepEqual(JSON.parse(schema({})), { type: "object", properties: {}, additionalProperties: false });
});
