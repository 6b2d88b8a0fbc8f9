/**
 * A request that the plugin understood and cannot fulfil: throw it. It fails the command that asked, and the user reads it.
 */
export class Failure extends Error {
  /**
   * @param {string} code lower-case words separated by `-`, at most 80 characters
   * @param {string} message what is wrong, in one sentence
   * @param {string} [hint] what the user does next
   */
  constructor(code, message, hint = "") {
    super(message);
    this.name = "Failure";
    this.code = code;
    this.hint = hint;
  }
}
