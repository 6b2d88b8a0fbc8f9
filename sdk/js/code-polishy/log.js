/**
 * Messages to the user: diagnostics, and part of no answer.
 *
 * The host shows them when a call fails, and with `--verbose`. It cuts a message at 16 KiB and drops those after the 256th of one call.
 * In Node.js nothing is shown: {@link take} returns what was written.
 */

/** @typedef {"debug" | "info" | "warning" | "error"} Level */

/** @type {[Level, string][]} */
let written = [];

/** @type {(level: Level, message: string) => void} */
let sink = (level, message) => {
  written.push([level, message]);
};

/**
 * For the plugin's author.
 * @param {string} message
 */
export const debug = (message) => sink("debug", String(message));

/**
 * Tells the user what happens.
 * @param {string} message
 */
export const info = (message) => sink("info", String(message));

/**
 * Something odd that the plugin could live with.
 * @param {string} message
 */
export const warning = (message) => sink("warning", String(message));

/**
 * What went wrong.
 * @param {string} message
 */
export const error = (message) => sink("error", String(message));

/**
 * What was written since the last call, oldest first; for tests.
 * @returns {[Level, string][]}
 */
export function take() {
  const taken = written;
  written = [];
  return taken;
}

/**
 * Sends messages to the host from now on.
 * @param {(level: Level, message: string) => void} write the contract's `log.write`
 */
export function sendTo(write) {
  sink = write;
}
