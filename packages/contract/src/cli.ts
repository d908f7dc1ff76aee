/** `pnpm contract <part>`: what an editor of the documents runs. */
import { runPart } from "@trainyard/terminal/parts";

const verbs = new URL("verbs.ts", import.meta.url);

await runPart("pnpm contract", {
  change: {
    does: "updates everything that depends on an edit of the documents, up to the changeset",
    file: new URL("../../release/src/change/cli.ts", import.meta.url),
  },
  check: { does: "shows what the branch changes, and whom it breaks", file: verbs, args: ["check"] },
  new: {
    does: "writes the files of a schema, an operation or a service",
    file: new URL("new/cli.ts", import.meta.url),
  },
  basis: { does: "lists the source of each fact", file: verbs, args: ["basis"] },
  export: { does: "writes the bundles for other tools, for OpenAPI 3.1 or 3.2", file: verbs, args: ["export"] },
  "pull-request": {
    does: "the report for the workflow of a pull request",
    file: new URL("pull-request/cli.ts", import.meta.url),
  },
});
