declare module "trainyard:validators" {
  import type { Validate } from "@trainyard/host/compile";

  /** By the title of a document, the functions of its schemas by their keys. */
  export const built: Readonly<Record<string, Readonly<Record<string, Validate>>>>;
}

declare module "trainyard:story" {
  import type { ImportKind } from "@trainyard/server";

  /** What `pnpm start` imports, in its order. */
  export const story: readonly {
    readonly kind: ImportKind;
    readonly records: readonly object[];
    readonly as?: string;
  }[];
}
