/** What a component has no system for: asking gives an error with words, where the stub below would end the call without any. */

import * as log from "./log.js";

/** Changes the globals of the component that is being built. */
export function removeSystem() {
  globalThis.Date = clockless(Date);
  Math.random = refused("randomness");
  // Its own members are read-only.
  Object.defineProperty(globalThis, "performance", { value: { now: refused("clock") }, configurable: true });
  // @ts-ignore: what plugins and their packages use of it
  globalThis.console ??= { debug: said(log.debug), log: said(log.info), info: said(log.info), warn: said(log.warning), error: said(log.error) };
}

/**
 * The same dates without the current one.
 * @param {DateConstructor} dates
 * @returns {any}
 */
function clockless(dates) {
  return class Date extends dates {
    /** @param {any[]} parts */
    constructor(...parts) {
      // @ts-ignore: the overloads of its parent
      super(...(parts.length === 0 ? refused("clock")() : parts));
    }

    static now = refused("clock");
  };
}

/**
 * @param {string} what
 * @returns {() => never}
 */
function refused(what) {
  return () => {
    throw new Error(`a plugin has no ${what}: equal input has to give equal answers`);
  };
}

/**
 * @param {(message: string) => void} write
 * @returns {(...values: unknown[]) => void}
 */
function said(write) {
  return (...values) => write(values.map((value) => (typeof value === "string" ? value : JSON.stringify(value) ?? String(value))).join(" "));
}
