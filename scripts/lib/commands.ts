import { checks } from "./checks.ts";

/** A module that runs in this process, from the root, with arguments that precede the caller's. */
export interface Program {
  readonly file: string;
  readonly args?: readonly string[];
}

/** Tests that `pnpm test` leaves out or runs in a short form: by package and file, or by tag. */
export interface LongForm {
  /** Empty for all packages. */
  readonly projects: readonly string[];
  /** Empty for all files. */
  readonly files: readonly string[];
  /** Only the tests with this tag. */
  readonly tag?: string;
  /** The variables that select their length. */
  readonly amount: Readonly<Record<string, string>>;
  /** How long one test may take, if its `amount` makes it longer than ten minutes; its own timeout takes precedence. */
  readonly minutes?: number;
}

/** A part of a command of the root: `size` of `pnpm bench size`. */
export type Part = (Program | LongForm) & {
  /** What it does, as a sentence without period. */
  readonly does: string;
};

/** A command of the root with its parts. */
export interface Command {
  /** The default part; without it, the parts are listed. */
  readonly usual?: string;
  readonly parts: Readonly<Record<string, Part>>;
}

const contract: Program = { file: "packages/contract/src/cli.ts" };
const versions: Program = { file: "packages/release/src/versions/cli.ts" };

/** The commands of the root with parts: `pnpm <command> [part] [arguments]`. */
export const commands: Readonly<Record<string, Command>> = {
  test: {
    usual: "short",
    parts: {
      short: {
        does: "every check, and every test in its short form; the same as `pnpm test`",
        file: "scripts/test.ts",
      },
      all: {
        does: '`pnpm test`, every part below, `release dry` and the benchmarks, or those that are named ("test fuzz"); `--write` keeps the results in `PROOFS.md`',
        file: "scripts/test-all.ts",
      },
      long: {
        does: "the tests with the tag `long`, which `pnpm test` leaves out, in their short form",
        projects: [],
        files: [],
        tag: "long",
        amount: {},
      },
      packages: {
        does: "the packed packages, in programs outside the workspace, on each runtime and in a browser",
        file: "packages/proofs/src/packages/cli.ts",
      },
      standalone: {
        does: "the bundles, in plain Prism and two generators of clients",
        file: "packages/proofs/src/standalone/cli.ts",
      },
      "strangers-contracts": {
        does: "documents of other people, and JSON Schema's own tests, in our generator, servers, `verify` and the gate; `-u` keeps the tables",
        projects: ["proofs"],
        files: ["src/strangers", "src/schema-suite"],
        amount: { STRANGERS: "whole" },
        minutes: 30,
      },
      libraries: {
        does: "client libraries in use, against the local server and the mock",
        projects: ["proofs"],
        files: ["src/libraries"],
        amount: { LIBRARIES: "whole" },
      },
      contract: {
        does: "each kind of change, in pairs and by types; a copy of the tree with one of each new thing",
        projects: ["contract"],
        files: ["test/newcomer", "test/pairs", "test/witness"],
        amount: { TRAINYARD_WHOLE: "1", TRAINYARD_ALL_PAIRS: "1", TRAINYARD_ALL_WITNESS: "1" },
      },
      console: {
        does: "the pages of the console, in a browser",
        projects: ["server", "proofs"],
        files: ["test/console/pages", "test/console/pictures", "src/console-pages"],
        amount: { CONSOLE: "whole" },
      },
      cluster: {
        does: "training on a real Slurm of three nodes, through its faults (needs `slurm-wlm` and `munge`)",
        projects: ["slurm"],
        files: ["test"],
        amount: { CLUSTER: "whole" },
      },
      faults: {
        does: "full, read-only and damaged storage, each reason not to start, and a soak of ten minutes",
        projects: ["server"],
        files: [
          "test/storage-faults",
          "test/operations",
          "test/data",
          "test/patience",
          "test/private-files",
          "test/statistics-limits",
          "test/soak",
        ],
        amount: { FAULTS: "all", SOAK_SECONDS: "600" },
        minutes: 20,
      },
      crash: {
        does: "the local server, killed again and again",
        projects: ["server"],
        files: ["test/crash", "test/resumed"],
        amount: { CRASHES: "50" },
        minutes: 60,
      },
      fuzz: {
        does: "requests, values and changes at random, to the local server, the mock, Prism, two validators and the gate",
        projects: ["contract", "mock", "server", "proofs"],
        files: [
          "test/unseen",
          "test/answers",
          "test/fuzz",
          "test/model",
          "test/own-errors",
          "test/properties",
          "test/statistics",
          "src/differential",
          "src/probes",
          "src/values",
        ],
        amount: {
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
      samples: {
        does: "every sample and every command of the guides, also with the packed packages, and a page by SWR in Chromium",
        projects: ["samples"],
        files: ["test/samples", "test/commands", "test/installed", "test/react"],
        amount: { SAMPLE_ROUNDS: "2" },
      },
      learning: {
        does: "the whole training loop, with many seeds and over several turns",
        projects: ["samples", "tiny"],
        files: ["test/learning", "src/training/tasks", "src/training/penalty"],
        amount: { LEARNING_SEEDS: "5", LEARNING_RUNS: "20" },
        minutes: 60,
      },
      page: {
        does: "the services inside a page: each sample, each reward, what is loaded",
        projects: ["docs"],
        files: ["test/page/"],
        amount: { PAGE: "whole" },
      },
      verify: {
        does: "`trainyard verify`, against a proxy that breaks the contract, uses what it permits, accepts everything, or drops connections",
        projects: ["proofs"],
        files: ["src/verify"],
        amount: { VERIFY_MUTANTS: "all" },
      },
      site: {
        does: "every page of the site, in a browser",
        projects: ["docs"],
        files: ["test/pictures.test", "test/site"],
        amount: { SITE: "whole" },
      },
    },
  },
  check: {
    usual: "all",
    parts: {
      all: { does: "every check of `pnpm test`, and no test", file: "scripts/check-all.ts" },
      ...Object.fromEntries(
        checks.map(({ name, holds }) => [name, { does: holds, file: "scripts/check-all.ts", args: [name] }]),
      ),
      release: {
        does: "the changesets of the branch match its changes of the contract",
        ...versions,
        args: ["check"],
      },
    },
  },
  bench: {
    usual: "clients",
    parts: {
      clients: {
        does: "the clients against others, and the generator; `--write` keeps the table in `packages/proofs/src/bench/RESULTS.md`",
        file: "packages/proofs/src/bench/cli.ts",
      },
      size: {
        does: "what a browser downloads, also of named services alone; `--check` also fails if a client grew by 2 %, `--write` accepts growth below the bars",
        file: "packages/proofs/src/bench/size.ts",
      },
      server: {
        does: "the local server against Prism, SQL by hand and a limit program; `--write` keeps the table",
        file: "packages/server/test/bench/bench.ts",
      },
      console: {
        does: "the console with 10⁵ rollouts, against its bars",
        file: "packages/server/test/bench/console.ts",
      },
      gate: {
        does: "how often the gate is right about a change, against `redocly diff` and `api-smart-diff`",
        file: "packages/proofs/src/bench/gate.ts",
      },
      site: { does: "what the site costs its readers", file: "packages/docs/src/bench/cli.ts" },
    },
  },
  contract: {
    parts: {
      change: {
        does: "updates everything that depends on an edit of the documents, up to the changeset",
        file: "packages/release/src/change/cli.ts",
      },
      check: { does: "shows what the branch changes, and whom it breaks", ...contract, args: ["check"] },
      new: {
        does: "writes the files of a schema, an operation or a service",
        file: "packages/contract/src/new/cli.ts",
      },
      basis: { does: "lists the source of each fact", ...contract, args: ["basis"] },
      export: {
        does: "writes the bundles for other tools, for OpenAPI 3.1 or 3.2",
        ...contract,
        args: ["export"],
      },
      "pull-request": {
        does: "the report for the workflow of a pull request",
        file: "packages/contract/src/pull-request/cli.ts",
      },
    },
  },
  release: {
    parts: {
      dry: {
        does: "rehearses a release against a registry on loopback",
        file: "packages/release/test/rehearsal/cli.ts",
      },
      pack: {
        does: "makes tarballs that another repository can install",
        file: "packages/release/src/pack/cli.ts",
      },
      version: {
        does: "raises the versions by the changesets, and writes the changelogs",
        ...versions,
        args: ["release"],
      },
    },
  },
  docs: {
    usual: "serve",
    parts: {
      serve: {
        does: "builds the site where it is stale, and serves it",
        file: "packages/docs/src/serve/cli.ts",
      },
      build: { does: "builds the site", file: "packages/docs/src/build/index.ts" },
      pictures: {
        does: "takes the pictures of the README and of the first page, of a model that learns (needs Chromium)",
        file: "scripts/pictures.ts",
      },
    },
  },
};
