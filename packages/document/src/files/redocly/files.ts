/** A plugin of Redocly that writes into each bundle where its components come from. The bundle's own reader removes it. */

/** The part of Redocly's plugin interface that is used here. */
interface Target {
  readonly location?: { readonly source: { readonly absoluteRef: string }; readonly pointer: string };
}

/** The key of the bundle. Its value is a list of pairs: the pointer of a component, and the address of its value. */
export const filesKey = "x-trainyard-files";

/** References lead to their files before the bundle is made, and to components afterwards. */
const files = () => {
  const seen: [reference: object, target: NonNullable<Target["location"]>][] = [];
  return {
    ref(node: unknown, _: unknown, resolved: Target & { readonly chain?: readonly Target[] }) {
      const target = resolved.chain?.[0]?.location ?? resolved.location;
      if (target) seen.push([Object(node), target]);
    },
    Root: {
      leave(root: unknown) {
        const pairs = seen.map(([node, { source, pointer }]) => [
          Reflect.get(node, "$ref"),
          `${source.absoluteRef}${pointer}`,
        ]);
        Object.assign(Object(root), { [filesKey]: pairs });
      },
    },
  };
};

export default (): object => ({ id: "trainyard", decorators: { oas3: { files } } });
