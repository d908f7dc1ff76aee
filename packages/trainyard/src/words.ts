/** A command: what it does in a line, and how the package that owns it is loaded. */
export interface Word {
  readonly does: string;
  /** Its `engines` say which versions of Node run the command. */
  readonly owner: string;
  readonly load: () => Promise<Command>;
}

/** What a package exports for its command. A command without `help` prints its own. */
export interface Command {
  readonly help?: string;
  readonly run: (args: string[]) => Promise<void>;
}

/** The commands, in the order of the help. A package is loaded when its command runs. */
export const words: Readonly<Record<string, Word>> = {
  serve: {
    does: "serves the three services on this machine, with state",
    owner: "@trainyard/server",
    load: () => import("@trainyard/server/serve"),
  },
  mock: {
    does: "serves mocks of the services, or a mock of any OpenAPI 3 document",
    owner: "@trainyard/mock",
    load: () => import("@trainyard/mock/command"),
  },
  call: {
    does: "calls one operation of a service",
    owner: "@trainyard/live",
    load: () => import("@trainyard/live/call"),
  },
  verify: {
    does: "checks a running service against its document",
    owner: "@trainyard/live",
    load: () => import("@trainyard/live/verify"),
  },
  generate: {
    does: "writes a typed client of an OpenAPI document",
    owner: "@trainyard/codegen",
    load: () => import("@trainyard/codegen/generate-command"),
  },
  check: {
    does: "says what the changes of an OpenAPI document break, and whom",
    owner: "@trainyard/contract",
    load: () => import("@trainyard/contract/files"),
  },
  uses: {
    does: "lists which operations and fields of the services a program uses",
    owner: "@trainyard/contract",
    load: () => import("@trainyard/contract/uses"),
  },
  completion: {
    does: "prints the completion of these commands for bash or zsh",
    owner: "trainyard",
    load: () => import("./completion.ts"),
  },
  slurm: {
    does: "a trainer of `serve` that runs a program on a Slurm cluster",
    owner: "@trainyard/slurm",
    load: () => import("@trainyard/slurm/command"),
  },
  tiny: {
    does: "serves or trains the small model of `serve`",
    owner: "@trainyard/tiny",
    load: () => import("@trainyard/tiny/command"),
  },
  marks: {
    does: "lists the facts about a training run that deserve attention",
    owner: "@trainyard/server",
    load: () => import("@trainyard/server/marks"),
  },
  import: {
    does: "loads data into the folder of `serve`",
    owner: "@trainyard/server",
    load: () => import("@trainyard/server/import"),
  },
  keys: {
    does: "manages the keys of `serve`",
    owner: "@trainyard/server",
    load: () => import("@trainyard/server/keys"),
  },
  backup: {
    does: "saves data, keys and checkpoints of `serve` in a folder",
    owner: "@trainyard/server",
    load: () => import("@trainyard/server/backup"),
  },
  restore: {
    does: "puts back what `backup` saved",
    owner: "@trainyard/server",
    load: () => import("@trainyard/server/restore"),
  },
  prune: {
    does: "deletes old logs of `serve`",
    owner: "@trainyard/server",
    load: () => import("@trainyard/server/prune"),
  },
};
