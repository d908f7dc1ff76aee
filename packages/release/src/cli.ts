/** `pnpm release <part>`: what a release of the packages needs. */
import { runPart } from "@trainyard/terminal/parts";

const versions = new URL("versions/cli.ts", import.meta.url);

await runPart("pnpm release", {
  check: { does: "the changesets of the branch match its changes of the contract", file: versions, args: ["check"] },
  dry: {
    does: "rehearses a release against a registry on loopback",
    file: new URL("../test/rehearsal/cli.ts", import.meta.url),
  },
  pack: {
    does: "makes tarballs that another repository can install",
    file: new URL("pack/cli.ts", import.meta.url),
  },
  version: {
    does: "raises the versions by the changesets, and writes the changelogs",
    file: versions,
    args: ["release"],
  },
});
