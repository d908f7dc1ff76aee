import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlias, nameOf, operationsOf } from "../document.ts";
import type { Rule } from "../redocly.ts";

/**
 * An operationId is the summary in snake case, the path with `_` for each character that is not a letter, digit or `_`, and
 * the method: `log_v1_preview_models__model_id__log_post`. An alias has `_alias` after its summary, because many generators
 * drop underscores: two ids that differ only in those would become the same name. A released one stays: generators name
 * functions by it, so another summary does not change it.
 */
export const operationId: Rule = () => ({
  Root(root, context) {
    const released = releasedPaths(context.location.source.absoluteRef);
    for (const operation of operationsOf(root, context)) {
      const { summary, operationId: id } = operation.node;
      if (typeof summary !== "string") continue;
      const name = summary.trim().toLowerCase().replaceAll(/\s+/g, "_");
      const alias = isAlias(operation) ? "_alias" : "";
      const kept = released[operation.path]?.[operation.method]?.operationId;
      const built = `${`${name}${alias}${operation.path}`.replaceAll(/\W/g, "_")}_${operation.method}`;
      if (id === (kept ?? built)) continue;
      const message =
        kept === undefined
          ? `The operationId must be built from summary, path and method. Write \`${built}\` for ${nameOf(operation)}.`
          : `The operationId of ${nameOf(operation)} is released, and must stay. Write \`${kept}\`.`;
      context.report({ message, location: operation.location.child("operationId") });
    }
  },
});

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;

/** The paths of the service's last release. @param document its `openapi.yaml` */
function releasedPaths(document: string): Paths {
  const folder = dirname(document);
  const file = join(folder, "../released", `${basename(folder)}.json`);
  if (!existsSync(file)) return {};
  const { paths = {} }: { paths?: Paths } = JSON.parse(readFileSync(file, "utf8"));
  return paths;
}
