import { Failure } from "./failure.ts";

/** Runs a command of the terminal. What it was not asked rightly for is told in a sentence, and ends with 2. */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    // Codegen tells of a broken document by an error of its own.
    const known = error instanceof Failure || (error instanceof Error && error.name === "DocumentError");
    const wrongOption =
      error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
    if (!known && !wrongOption) throw error;
    // Of what `parseArgs` says of a wrong option, the first sentence is for people.
    console.error(
      known ? error.message : `${error.message.split(/\. (?=[A-Z])/)[0]?.replace(/\.?$/, ".")} See --help.`,
    );
    process.exitCode = 2;
  }
}
