import type { Contract } from "../contract.ts";
import { contracts as ownContracts, ownTerminal, type Terminal } from "../terminal.ts";

export type { Contract } from "../contract.ts";

export const callHelp = `trainyard call <operation> [ids] [--field value …] [< body.json]: calls one operation of a service

Without an operation it lists all of them. Followed by --help, an operation shows its fields and an example.

  --document <file>     the OpenAPI document of another service, in YAML or JSON; by default those of the three services
  --allow <place>       a folder or an address that its $refs may lead to; may be given several times
  --service <name>      the service, if several services have an operation of this name
  --base-url <address>  where the service is; by default TRAINYARD_<SERVICE>_URL, else the first server of its document
  --body <file>         a file with the body, or - for standard input; fields are added to JSON and to forms
  --example <name>      sends the example of that name from the document as the body
  --limit <number>      the most items of a list; all by default
  --dry-run             prints the same request as a curl command, and sends nothing
  --help                prints this help, or that of an operation

A field is a property of the body, a query parameter, a header or a cookie: --base_model demo/tiny, --steps 1 --steps 2,
--config.batch_size 8, --messages @messages.json. In a multipart form, --file @report.pdf sends the file. The key is read
from TRAINYARD_API_KEY or TRAINYARD_ACCESS_TOKEN.
Answers are printed as JSON, and texts and bytes as they are; errors and the request id go to standard error.

Exit codes:
  0  answered                                 6  not found (404)
  2  invalid arguments: nothing was sent      7  try again later (429, 503)
  3  no answer                                8  the service failed (another 5xx)
  4  refused (another 4xx)                    9  the answer broke off, or is not valid JSON
  5  the key is not accepted (401, 402, 403)
`;

/** Where the command reads and writes. */
export interface CallTerminal extends Terminal {
  /** Reads standard input to its end; undefined if it is a terminal. */
  readonly input?: (() => Promise<string>) | undefined;
  /** Whether the output is a terminal. */
  readonly isTerminal?: boolean | undefined;
}

/** Runs `trainyard call`. */
export async function run(args: readonly string[]): Promise<void> {
  process.exitCode = await callCommand(args, ownContracts, {
    ...ownTerminal(),
    // Opening standard input takes longer than printing help.
    get input() {
      return process.stdin.isTTY ? undefined : readInput;
    },
    get isTerminal() {
      return process.stdout.isTTY;
    },
  });
}

async function readInput(): Promise<string> {
  const { text } = await import("node:stream/consumers");
  return text(process.stdin);
}

/**
 * Calls an operation as its document describes it, and returns the exit code. No operation has code of its own. The
 * modules for a call are loaded only when there is one, so that the help appears at once.
 */
export async function callCommand(
  args: readonly string[],
  contracts: readonly Contract[],
  terminal: CallTerminal,
): Promise<number> {
  if (args.length === 1 && (args[0] === "--help" || args[0] === "-h")) {
    terminal.out(callHelp);
    return 0;
  }
  const { runCall } = await import("./run.ts");
  return runCall(args, contracts, terminal);
}
