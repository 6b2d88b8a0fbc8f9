/**
 * Write a Code Polishy plugin in JavaScript: export by default what {@link suiteRunner}, {@link pathRoles} or {@link reportRenderer} returns.
 *
 * A plugin runs in QuickJS without a system: no clock, no randomness, no files, no network. Equal input has to give equal answers.
 * The same modules run in Node.js, so `node --test` tests a plugin as ordinary code.
 */
export { suiteRunner, pathRoles, reportRenderer } from "./plugin.js";
export { Failure } from "./failure.js";
export * as log from "./log.js";
export { text, bytes } from "./utf8.js";
export { whole, lines } from "./stream.js";
