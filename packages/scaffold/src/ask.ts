import { createInterface } from "node:readline/promises";
import { Failure } from "@trainyard/contract";

/** Gets what the command line did not give. */
export interface Ask {
  /** @throws {@link Failure} where there is nobody to ask. */
  (what: string, flag: string, instead?: string): Promise<string>;
}

/** Asks on a terminal, with what holds where nothing is typed; elsewhere that holds, and what is needed is refused. */
export function asker(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Ask {
  return async (what, flag, instead) => {
    if (!input.isTTY || !output.isTTY) {
      if (instead !== undefined) return instead;
      throw new Failure(`${what} is needed: give ${flag}.`);
    }
    const terminal = createInterface({ input, output });
    try {
      const answer = (await terminal.question(`${what}${instead === undefined ? "" : ` (${instead})`}: `)).trim();
      if (answer === "" && instead === undefined) throw new Failure(`${what} is needed.`);
      return answer === "" ? (instead ?? "") : answer;
    } finally {
      terminal.close();
    }
  };
}
