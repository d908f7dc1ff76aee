/** A plugin of Redocly that writes into each bundle where its components come from. The bundle's own reader removes it. */
import type { Place, Resolved, Rule } from "../lint/redocly.ts";

/** The key of the bundle. Its value is a list of pairs: the pointer of a component, and the address of its value. */
export const filesKey = "x-trainyard-files";

/** References lead to their files before the bundle is made, and to components afterwards. */
const files: Rule = () => {
  const seen: [reference: object, target: Place][] = [];
  return {
    ref(node, _, resolved: Resolved & { readonly chain?: readonly Resolved[] }) {
      const target = resolved.chain?.[0]?.location ?? resolved.location;
      if (target) seen.push([Object(node), target]);
    },
    Root: {
      leave(root) {
        const pairs = seen.map(([node, { source, pointer }]) => [
          Reflect.get(node, "$ref"),
          `${source.absoluteRef}${pointer}`,
        ]);
        Object.assign(Object(root), { [filesKey]: pairs });
      },
    },
  };
};

export default () => ({ id: "trainyard", decorators: { oas3: { files } } });
