/** The rule of what leaves and cannot be `deprecated`. */
import { dialect, isPresent, readLeaving } from "@trainyard/document";
import { followMember } from "../document.ts";
import { listOf, nodeOf } from "../node.ts";
import type { Context, Rule } from "../redocly.ts";

const { key } = dialect.leaving;

/** What leaves is there, stays for as long as the site promises, and a former name of a method has a new one. */
export const leaving: Rule = () => {
  let major = 1;
  const judge = (node: unknown, context: Context): void => {
    const holder = nodeOf(node);
    const method = dialect.clientMethod.read(holder);
    for (const [index, entry] of listOf(holder[key]).entries()) {
      const one = readLeaving(entry);
      // The rule `extensions` checks the form.
      if (one === undefined) continue;
      const { of, until } = one;
      const report = (name: string, message: string): void =>
        context.report({ message, location: context.location.child([key, index, name]) });
      const what = `\`${typeof one.what === "string" ? one.what : JSON.stringify(one.what)}\``;
      if (of === "method" && (method === undefined || isPresent(one, holder)))
        report(of, `${what} is no former name of the method. Write the new name in \`x-client-method\` beside it.`);
      else if (of === "method" && one.instead !== method)
        report("instead", `\`instead\` must be the new name of the method. Write \`${method}\`.`);
      else if (of !== "method" && !isPresent(one, holder)) {
        const list = of === "value" ? "value of the `enum`" : "media type of the `content`";
        report(of, `${what} is no ${list} beside it, so it cannot leave. Correct it, or remove the entry.`);
      }
      if (/^\d+\.0\.0$/.test(until) && Number.parseInt(until) >= major) continue;
      const term = "What leaves stays for two minor versions and 90 days, and leaves only with a major version";
      report("until", `${term}, so \`until\` is too early. Write \`${major}.0.0\` or a later one.`);
    }
  };
  return {
    Root(root, context) {
      const info = followMember({ node: nodeOf(root), location: context.location }, "info", context);
      major = Number.parseInt(String(info?.node["version"])) + 1 || 1;
    },
    any: judge,
    ref: judge,
  };
};
