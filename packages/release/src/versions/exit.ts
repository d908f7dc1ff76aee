/** Runs a command. What a person can mend is told without a stack, and ends with 2. */
export async function toExitCode(command: () => Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const wrongOption = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
    // By name: a document's fault comes from another package.
    if (!wrongOption && error.name !== "Failure" && error.name !== "DocumentError") throw error;
    console.error(error.message);
    return 2;
  }
}
