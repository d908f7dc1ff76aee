import { Failure } from "./failure.ts";

/** Runs a command. Invalid arguments print a message, and exit with code 2. */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    // Codegen reports an invalid document with its own error.
    const isExpected = error instanceof Failure || (error instanceof Error && error.name === "DocumentError");
    const wrongOption =
      error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
    if (!isExpected && !wrongOption) throw error;
    // Only the first sentence of a `parseArgs` message helps.
    console.error(
      isExpected ? error.message : `${error.message.split(/\. (?=[A-Z])/)[0]?.replace(/\.?$/, ".")} See --help.`,
    );
    process.exitCode = 2;
  }
}
