/** A proof: tests that `pnpm test` leaves out, or runs in a short form. It is a project of vitest: `vitest run --project cluster`. */
export interface Proof {
  /** Where its files begin, from `packages/`, as a pattern. */
  readonly files: readonly string[];
  /** The variables that select the length of its tests. Those that the caller sets take precedence. */
  readonly env: Readonly<Record<string, string>>;
  /** How long one test may take; 10 by default. */
  readonly minutes?: number;
}

export const proofs: Readonly<Record<string, Proof>> = {
  // Documents of other people, and JSON Schema's own tests, in our generator, servers, `verify` and the gate; `-u` keeps the tables.
  "strangers-contracts": { files: ["proofs/src/{strangers,schema-suite}"], env: { STRANGERS: "whole" }, minutes: 30 },
  // What schemas mean, to each tool that reads them, on values that are right and wrong.
  agreement: { files: ["proofs/src/agreement/"], env: { AGREEMENT: "whole" } },
  // Client libraries in use, against the local server and the mock.
  libraries: { files: ["proofs/src/libraries"], env: { LIBRARIES: "whole" } },
  // The packages as another team gets them, packed, on each runtime and bundler.
  packages: { files: ["proofs/src/packages"], env: { PACKAGES: "whole" }, minutes: 20 },
  // The published bundles in plain Prism and in two generators of other people.
  bundles: { files: ["proofs/src/bundles"], env: { BUNDLES: "whole" } },
  // Each kind of change, in pairs and by types; a copy of the tree with one of each new thing.
  changes: {
    files: ["contract/test/{newcomer,pairs,witness}"],
    env: { TRAINYARD_WHOLE: "1", TRAINYARD_ALL_PAIRS: "1", TRAINYARD_ALL_WITNESS: "1" },
    minutes: 60,
  },
  // The pages of the console, in a browser.
  "console-pages": { files: ["server/test/console/{pages,pictures}"], env: { CONSOLE: "whole" } },
  // Training on a real Slurm of three nodes, through its faults (needs `slurm-wlm` and `munge`).
  cluster: { files: ["slurm/test/"], env: { CLUSTER: "whole" } },
  // Full, read-only and damaged storage, each reason not to start, and a soak of ten minutes.
  faults: {
    files: ["server/test/{*-faults,fault-matrix,operations,keys,backup,data,patience,private-files,*-limits,soak}"],
    env: { FAULTS: "all", SOAK_SECONDS: "600" },
    minutes: 20,
  },
  // The local server, killed again and again.
  crash: { files: ["server/test/{crash,resumed}"], env: { CRASHES: "50" }, minutes: 60 },
  // Requests, values and changes at random, to the local server, the mock, Prism, two validators and the gate.
  fuzz: {
    files: [
      "{contract,mock,server}/test/{unseen,answers,fuzz,model,own-errors,properties,statistics}",
      "proofs/src/{differential,probes,values}",
    ],
    env: {
      PROPERTIES: "whole",
      FUZZ_REQUESTS: "20000",
      FUZZ_STORIES: "400",
      FUZZ_STATISTICS: "3000",
      WITNESS_REQUESTS: "20000",
      WITNESS_PROBES: "20000",
      WITNESS_VALUES: "300",
    },
    minutes: 60,
  },
  // Every sample and every command of the guides, also with the packed packages, and a page by SWR in Chromium.
  "all-samples": { files: ["samples/test/{samples,commands,installed,react}"], env: { SAMPLE_ROUNDS: "2" } },
  // The whole training loop, with many seeds and over several turns.
  learning: {
    files: ["samples/test/learning", "tiny/src/training/{tasks,penalty}"],
    env: { LEARNING_SEEDS: "5", LEARNING_RUNS: "20" },
    minutes: 60,
  },
  // The services inside a page: each sample, each reward, what is loaded.
  page: { files: ["docs/test/page/"], env: { PAGE: "whole" } },
  // `trainyard verify`, against a proxy that breaks the contract, uses what it permits, accepts everything, or drops connections.
  verify: { files: ["proofs/src/verify"], env: { VERIFY_MUTANTS: "all" } },
  // Every page of the site, in a browser.
  site: { files: ["docs/test/{pictures,site}"], env: { SITE: "whole" } },
};

/** The patterns of a proof's files, from the root. */
export function filesOf({ files }: Proof): string[] {
  return files.map((file) => `packages/${file}{*,*/**/*}.test.ts`);
}
