declare module "trainyard:modules" {
  /** The names of the modules that an edited sample can import. */
  export const modules: readonly string[];
}

declare module "trainyard:validators" {
  import type { Validate } from "@trainyard/host/compile";

  /** The validators of a document's schemas by their keys, under the title of the document. */
  export const built: Readonly<Record<string, Readonly<Record<string, Validate>>>>;
}

declare module "trainyard:story" {
  import type { ImportKind } from "@trainyard/server";

  /** The data that `pnpm start` imports, in order. */
  export const story: readonly {
    readonly kind: ImportKind;
    readonly records: readonly object[];
    readonly as?: string;
  }[];
}
