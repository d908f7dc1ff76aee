/** Runs a command. A {@link Failure}, which a person can fix, is printed without a stack, with exit code 2. */
export async function toExitCode(command: () => Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const wrongOption = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
    // By name, because errors of a document come from another package.
    if (!wrongOption && error.name !== "Failure" && error.name !== "DocumentError") throw error;
    console.error(error.message);
    return 2;
  }
}
