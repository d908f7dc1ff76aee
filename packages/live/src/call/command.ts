import { fstatSync } from "node:fs";
import type { Contract } from "../contract.ts";
import { contracts as ownContracts, ownTerminal, type Terminal } from "../terminal.ts";

export type { Contract } from "../contract.ts";

export const callHelp = `trainyard call <operation> [ids] [--<field> <value> …]
trainyard call GET /v1/…                calls any path or address, with --body

  --document <file>     an OpenAPI document; by default those of the three services
  --allow <place>       a folder or address that its $refs lead to; repeatable
  --service <name>      the service, if several have the operation
  --base-url <address>  else TRAINYARD_<SERVICE>_URL, else the document's server
  --body <file>         the body: a file, - for standard input, or JSON such as '{}';
                        fields are added
  --example <name>      an example of the document as the body
  --limit <number>      the most items of a list; all by default
  --field <pointer>     prints a member, a text without quotes: /data/0/id
  -H, --header <header> one more header, such as "X-Trace: 1"; repeatable
  --timeout <seconds>   the limit of one attempt; by default the document's
  -i, --include         prints the status and the headers, too
  -v, --verbose         prints them and the request on standard error
  --dry-run             prints a curl command, and sends nothing
Fields of the body, the query, headers and cookies: --config.batch_size 8,
--steps 1 --steps 2, --messages.0.role user, --messages @file, --file @report.pdf
in a form. If a value can be text, it is: --seed:=8 sends JSON, --name @@home the
text @home. A field comes before an option of the same name.
The key is read from TRAINYARD_API_KEY or TRAINYARD_ACCESS_TOKEN. For --document
pets.yaml, it is TRAINYARD_PETS_API_KEY, or TRAINYARD_PETS_ACCESS_TOKEN for a
security scheme accessToken. Standard error has errors and the request id.
Exit codes:
  0  answered                      5  key not accepted (401, 402, 403)
  2  invalid arguments             6  not found (404)
  3  no answer                     7  try again later (429, 503)
  4  refused (another 4xx)         8  the service failed (another 5xx)
  9  the answer broke off, or is not valid JSON
`;

/** Where the command reads and writes. */
export interface CallTerminal extends Terminal {
  /** Reads standard input to its end; undefined if nothing is piped to it. */
  readonly input?: (() => Promise<string>) | undefined;
  readonly isTerminal?: boolean | undefined;
  /** How wide the help may be; 80 by default. */
  readonly columns?: number | undefined;
}

export async function run(args: readonly string[]): Promise<void> {
  process.exitCode = await callCommand(args, ownContracts, {
    ...ownTerminal(),
    // Opening standard input takes longer than printing help.
    get input() {
      // A terminal and /dev/null are character devices.
      return fstatSync(0).isCharacterDevice() ? undefined : readInput;
    },
    get isTerminal() {
      return process.stdout.isTTY;
    },
    get columns() {
      return process.stdout.columns ?? (Number(process.env["COLUMNS"]) || undefined);
    },
  });
}

async function readInput(): Promise<string> {
  const { text } = await import("node:stream/consumers");
  return text(process.stdin);
}

/** Returns the exit code. The modules for a call are loaded only when there is one, so that the help appears at once. */
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
