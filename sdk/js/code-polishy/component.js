/** A plugin under the contract's names: nothing that it throws becomes a trap. */

import { Failure } from "./failure.js";
import * as log from "./log.js";
import { schema } from "./options.js";
import { removeSystem } from "./system.js";

/**
 * What `package.json` says about the plugin.
 * @typedef {{name: string, version: string, summary: string, kind: string}} Manifest
 */

/**
 * @template {Record<string, (...facts: any[]) => any>} Calls
 * @param {string} kind such as `suite-runner`
 * @param {Record<string, import("./options.js").Option>} options
 * @param {Calls} calls
 */
export function component(kind, options, calls) {
  const optionsSchema = schema(options);
  return {
    ...calls,
    /**
     * The component's exports.
     * @param {Manifest} manifest
     * @param {(level: string, message: string) => void} write the contract's `log.write`
     */
    component(manifest, write) {
      if (manifest.kind !== kind) throw new Error(`package.json calls the plugin a ${manifest.kind}, its module makes a ${kind}`);
      log.sendTo(write);
      removeSystem();
      const { name, version, summary } = manifest;
      const guarded = Object.fromEntries(Object.entries(calls).map(([call, ask]) => [call, guard(ask)]));
      return { describe: () => ({ name, version, summary, optionsSchema }), [camel(kind)]: guarded };
    },
  };
}

/**
 * The same call; what it throws is a `failure` of the contract, and a mistake of the plugin is told with its place.
 * @param {(...facts: any[]) => any} ask
 */
function guard(ask) {
  return (/** @type {any[]} */ ...facts) => {
    try {
      return ask(...facts);
    } catch (thrown) {
      throw failure(thrown);
    }
  };
}

/**
 * @param {unknown} thrown
 * @returns {{code: string, message: string, hint: string}}
 */
function failure(thrown) {
  if (thrown instanceof Failure) return { code: String(thrown.code), message: thrown.message, hint: String(thrown.hint) };
  log.error(thrown instanceof Error ? `${thrown}\n${thrown.stack ?? ""}` : `thrown: ${thrown}`);
  return { code: "uncaught-exception", message: String(thrown), hint: "this is a mistake in the plugin; what it logged says where" };
}

/** @param {string} kind */
function camel(kind) {
  return kind.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
}
