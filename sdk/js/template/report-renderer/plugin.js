// @ts-check
// Writes `summary.txt`: how the gate ended, and a line for each finding.

import { Failure, reportRenderer } from "./code-polishy/index.js";

export default reportRenderer({
  render(report) {
    if (report.protocol !== "code-polishy-report/v1") {
      throw new Failure("unknown-report", "the document is no code-polishy-report/v1", "use a newer renderer");
    }
    return [{ name: "summary.txt", mediaType: "text/plain; charset=utf-8", content: summary(report) }];
  },
});

/**
 * Reads leniently: what a report does not have is left out.
 * @param {any} report
 */
function summary(report) {
  /** @type {any[]} */
  const findings = Array.isArray(report.findings) ? report.findings : [];
  const lines = findings.map((finding) => `- ${line(finding.subject)}: ${line(finding.message)}\n`);
  return `${line(report.gate)} gate: ${line(report.status)}\n${lines.join("")}`;
}

/**
 * A report quotes what others wrote: text that cannot end the line it stands in.
 * @param {unknown} value
 */
function line(value) {
  return typeof value === "string" ? value.replace(/\p{Cc}/gu, " ") : "unknown";
}
