import { createInterface } from "node:readline/promises";
import { Failure } from "../failure.ts";

/** Gets what the command line does not contain. */
export interface Ask {
  /** @throws {@link Failure} if there is no terminal */
  (what: string, flag: string, instead?: string): Promise<string>;
}

/**
 * Asks on a terminal, with a default for an empty answer. Elsewhere the default is used, and a missing required value
 * fails.
 */
export function asker(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Ask {
  return async (what, flag, instead) => {
    if (!input.isTTY || !output.isTTY) {
      if (instead !== undefined) return instead;
      throw new Failure(`${what} is required: give ${flag}.`);
    }
    const terminal = createInterface({ input, output });
    try {
      const answer = (await terminal.question(`${what}${instead === undefined ? "" : ` (${instead})`}: `)).trim();
      if (answer === "" && instead === undefined) throw new Failure(`${what} is required.`);
      return answer === "" ? (instead ?? "") : answer;
    } finally {
      terminal.close();
    }
  };
}
