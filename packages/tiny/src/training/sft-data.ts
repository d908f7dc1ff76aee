import { isObject } from "@trainyard/core/validation";
import { fileLines } from "@trainyard/terminal/lines";
import type { Sequence } from "./batch.ts";
import { renderAt } from "./sequences.ts";
import { TrainingFailure } from "./training-failure.ts";

/** The most invalid lines that a message lists. */
const mostListed = 5;

/**
 * Reads training conversations, one per line: `{"messages": […], "tools": […]}`. This model does not read tools.
 *
 * @throws TrainingFailure that lists the first invalid lines by their numbers
 */
export async function readSftData(file: string, turns: "all" | "last", signal: AbortSignal): Promise<Sequence[]> {
  const sequences: Sequence[] = [];
  const faults: string[] = [];
  let number = 0;
  for await (const line of fileLines(file, signal)) {
    number++;
    if (line.trim() === "") continue;
    const read = readLine(line, turns);
    if (typeof read !== "string") sequences.push(read);
    else faults.push(`Line ${number} ${read}.`);
  }
  if (faults.length > 0) {
    const remaining = faults.length > mostListed ? ` ${faults.length - mostListed} more lines are invalid.` : "";
    throw new TrainingFailure(
      `The training data cannot be learned from. ${faults.slice(0, mostListed).join(" ")}${remaining} A line is {"messages": […]} with an assistant message in it.`,
    );
  }
  if (sequences.length === 0) throw new TrainingFailure("The training data is empty. Give one conversation a line.");
  return sequences;
}

/** A conversation, or why its line is invalid; follows the line's number in messages. */
function readLine(line: string, turns: "all" | "last"): Sequence | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "is not valid JSON";
  }
  if (!isObject(value) || !Array.isArray(value["messages"])) return "has no list of messages";
  try {
    const { tokens, answers } = renderAt(value["messages"], "messages");
    if (answers.length === 0) return "has no assistant message";
    return { tokens, answers: turns === "last" ? answers.slice(-1) : answers };
  } catch (error) {
    if (!(error instanceof TrainingFailure)) throw error;
    return `cannot be read: ${error.message.replace(/\.$/, "")}`;
  }
}
