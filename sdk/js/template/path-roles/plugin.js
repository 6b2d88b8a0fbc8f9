// @ts-check
// Calls a path generated when it lies in one of the named folders, or says so in its first lines. Other plugins answer for the rest.

import { pathRoles, text } from "./code-polishy/index.js";

export default pathRoles({
  options: {
    folders: { type: "array", items: { type: "string" }, default: ["generated"], description: "Names of folders, wherever they are" },
  },

  role(fact, { folders }) {
    const inFolder = fact.path.split("/").slice(0, -1).some((folder) => folders.includes(folder));
    return inFolder || saysSo(fact.head) ? "generated" : null;
  },
});

/**
 * The mark that many generators put into the head of a file.
 * @param {Uint8Array} head
 */
function saysSo(head) {
  // In two parts, so that this file is not taken for one of those.
  const mark = "@" + "generated";
  return text(head.subarray(0, 512)).split("\n").slice(0, 5).some((line) => line.includes(mark));
}
