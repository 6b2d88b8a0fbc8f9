/** The three kinds of plugins. */

import { artifacts, invocation, role, verdict } from "./answer.js";
import { component } from "./component.js";
import { read } from "./options.js";

/**
 * @template Answer
 * @typedef {(...facts: any[]) => Answer} Call
 */

/**
 * A plugin: its calls take what the contract gives and return what the contract takes; a call that cannot answer throws a `Failure`.
 * `component` is what `code-polishy plugin build` asks for.
 * @typedef {Record<string, Call<any>> & {component: (manifest: import("./component.js").Manifest, write: any) => object}} Plugin
 */

/**
 * Says how a test suite is run and what its output means. The host runs the process; a plugin never does.
 *
 * @param {object} definition
 * @param {Record<string, import("./options.js").Option>} [definition.options] what the policy may say; nothing when absent
 * @param {(suite: import("./types.js").Suite, options: Record<string, any>) => import("./types.js").Invocation} [definition.plan]
 *   what to add to the suite's command; nothing when absent
 * @param {(suite: import("./types.js").Suite, execution: import("./types.js").Execution, options: Record<string, any>) => import("./types.js").Verdict} definition.judge
 *   what the run means
 * @returns {Plugin}
 */
export function suiteRunner({ options = {}, plan = () => ({}), judge }) {
  needs("suiteRunner", "judge", judge);
  return component("suite-runner", options, {
    plan: (/** @type {any} */ suite) => invocation(plan(suite, read(options, suite.options))),
    judge: (/** @type {any} */ suite, /** @type {any} */ execution) => verdict(judge(suite, execution, read(options, suite.options))),
  });
}

/**
 * Says what part each path plays in the repository.
 *
 * @param {object} definition
 * @param {Record<string, import("./options.js").Option>} [definition.options] what the policy may say; nothing when absent
 * @param {(fact: import("./types.js").PathFact, options: Record<string, any>) => import("./types.js").Role | null | undefined} definition.role
 *   the role of one path; nothing leaves it to the next plugin. A call has at most 100,000 paths.
 * @returns {Plugin}
 */
export function pathRoles({ options = {}, role: ask }) {
  needs("pathRoles", "role", ask);
  return component("path-roles", options, {
    classify: (/** @type {import("./types.js").PathFact[]} */ paths, /** @type {string} */ said) => {
      const known = read(options, said);
      return paths.map((fact) => role(ask(fact, known), fact.path));
    },
  });
}

/**
 * Draws a finished report. A renderer changes neither the report nor an exit status.
 *
 * @param {object} definition
 * @param {Record<string, import("./options.js").Option>} [definition.options] what the policy may say; nothing when absent
 * @param {(report: any, options: Record<string, any>) => import("./types.js").Artifact[]} definition.render
 *   at least one and at most 64 files. `report` is a `code-polishy-report/v1` document: read it leniently, a later minor version may add keys.
 * @returns {Plugin}
 */
export function reportRenderer({ options = {}, render }) {
  needs("reportRenderer", "render", render);
  return component("report-renderer", options, {
    render: (/** @type {string} */ report, /** @type {string} */ said) => artifacts(render(JSON.parse(report), read(options, said))),
  });
}

/**
 * @param {string} kind
 * @param {string} name
 * @param {unknown} call
 */
function needs(kind, name, call) {
  if (typeof call !== "function") throw new TypeError(`${kind} needs a function \`${name}\``);
}
