/** Options, read strictly: what a plugin does not describe never reaches it. */

import { Failure } from "./failure.js";

/**
 * One option, in the words of JSON Schema: what is not listed here has no effect on reading.
 * @typedef {object} Option
 * @property {"string" | "boolean" | "integer" | "number" | "array" | "object"} type
 * @property {unknown} [default] the value when the policy has none; `undefined` otherwise
 * @property {string} [description] for people
 * @property {unknown[]} [enum] the values that are allowed
 * @property {Option} [items] what an array holds
 * @property {Record<string, Option>} [properties] the keys of an object; any key when absent
 */

/**
 * The JSON Schema text of an options object.
 * @param {Record<string, Option>} options
 * @returns {string}
 */
export function schema(options) {
  return JSON.stringify(closed({ type: "object", properties: options }));
}

/**
 * The options of a call, with defaults.
 * @param {Record<string, Option>} options what the plugin describes
 * @param {string} said the contract's options text
 * @returns {Record<string, any>}
 * @throws {Failure} `bad-options` for a text that is not one object, an unknown key, a wrong type
 */
export function read(options, said) {
  let value;
  try {
    value = JSON.parse(said);
  } catch {
    throw bad("the options are not one JSON object");
  }
  return object(value, options, "");
}

/**
 * @param {unknown} value
 * @param {Record<string, Option>} properties
 * @param {string} where
 */
function object(value, properties, where) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw bad(`${where || "the options"} is no object`);
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(properties, key)) throw bad(`unknown option \`${inside(where, key)}\``);
  }
  /** @type {Record<string, any>} */
  const read = {};
  for (const [key, option] of Object.entries(properties)) {
    const given = Object.hasOwn(value, key) ? /** @type {Record<string, unknown>} */ (value)[key] : undefined;
    // A copy: a plugin that changes its options changes nobody else's.
    read[key] = given === undefined ? structured(option.default) : one(given, option, inside(where, key));
  }
  return read;
}

/**
 * @param {unknown} value
 * @param {Option} option
 * @param {string} where
 * @returns {unknown}
 */
function one(value, option, where) {
  if (!hasType(value, option.type)) throw bad(`the option \`${where}\` is no ${option.type}`);
  if (option.enum && !option.enum.includes(value)) {
    throw bad(`the option \`${where}\` is none of ${option.enum.map((allowed) => JSON.stringify(allowed)).join(", ")}`);
  }
  const { items, properties } = option;
  if (items && Array.isArray(value)) return value.map((item, index) => one(item, items, `${where}.${index}`));
  return properties ? object(value, properties, where) : value;
}

/**
 * @param {unknown} value
 * @param {Option["type"]} type
 */
function hasType(value, type) {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

/**
 * The same with no other keys than the described ones, at every depth.
 * @param {Option} option
 * @returns {object}
 */
function closed(option) {
  const items = option.items ? { items: closed(option.items) } : {};
  if (!option.properties) return { ...option, ...items };
  const properties = Object.fromEntries(Object.entries(option.properties).map(([key, inner]) => [key, closed(inner)]));
  return { ...option, ...items, properties, additionalProperties: false };
}

/** @param {unknown} value */
function structured(value) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/**
 * @param {string} where
 * @param {string} key
 */
function inside(where, key) {
  return where === "" ? key : `${where}.${key}`;
}

/** @param {string} message */
function bad(message) {
  return new Failure("bad-options", message, "correct the plugin's options in the policy");
}
