/** The rule of what leaves and cannot be `deprecated`. */
import { dialect, isPresent, readLeaving, type Leaving } from "@trainyard/document";
import { isObject } from "@trainyard/core/validation";
import { followMember } from "../document.ts";
import { listOf, nodeOf } from "../node.ts";
import type { Context, Rule } from "../redocly.ts";

const { key } = dialect.leaving;

/** What may leave where: the objects that hold an entry, by what it announces. */
const holders: Readonly<Record<Leaving["of"], readonly string[]>> = {
  value: ["Schema"],
  media: ["RequestBody", "Response"],
  method: ["Operation"],
};

/** What leaves is there, stays for as long as the site promises, and has a replacement. The rule `extensions` checks the form. */
export const leaving: Rule = () => {
  let version = "";
  const judge = (node: unknown, context: Context): void => {
    const holder = nodeOf(node);
    for (const [index, entry] of listOf(holder[key]).entries()) {
      const one = isObject(entry) ? readLeaving(entry) : undefined;
      if (one === undefined) continue;
      const report = (name: string, message: string): void =>
        context.report({ message, location: context.location.child([key, index, name]) });
      const fault = holders[one.of].includes(context.type.name) ? absence(one, holder) : misplaced(one);
      if (fault !== undefined) report(one.of, fault);
      const major = Number.parseInt(version) + 1;
      if (!/^[1-9]\d*\.0\.0$/.test(one.until) || Number.parseInt(one.until) < major) {
        const message = `What leaves stays for two minor versions and 90 days, and leaves only with a major version, so \`until\` is too early. Write \`${major}.0.0\` or a later one.`;
        report("until", message);
      }
      const method = dialect.clientMethod.read(holder);
      if (one.of === "method" && fault === undefined && one.instead !== method)
        report("instead", `\`instead\` must be the new name of the method. Write \`${method}\`.`);
    }
  };
  return {
    Root(root, context) {
      const info = followMember({ node: nodeOf(root), location: context.location }, "info", context);
      version = String(info?.node["version"]);
    },
    any: judge,
    ref: judge,
  };
};

function misplaced({ of }: Leaving): string {
  return `A \`${of}\` cannot leave here. Move the entry to its ${holders[of].join(" or ")}.`;
}

/** What is wrong if what leaves is not there. */
function absence(one: Leaving, holder: Readonly<Record<string, unknown>>): string | undefined {
  const what = `\`${typeof one.what === "string" ? one.what : JSON.stringify(one.what)}\``;
  const method = dialect.clientMethod.read(holder);
  const isThere = isPresent(one, holder, method);
  if (one.of !== "method") {
    const list = one.of === "value" ? "value of the `enum` beside it" : "media type of the `content` beside it";
    return isThere ? undefined : `${what} is no ${list}, so it cannot leave. Correct it, or remove the entry.`;
  }
  if (method === undefined)
    return `The operation has no method, so ${what} cannot be a former name of it. Remove the entry.`;
  return isThere ? `${what} is still the name of the method. Write its new name in \`x-client-method\`.` : undefined;
}
