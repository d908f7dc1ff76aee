import { isChoice } from "../guards.ts";
import type { MessageOrChoice } from "../generated/schema.ts";

/**
 * A text that is the same for two items with the same message. For an assistant only the content and the calls count,
 * because programs send an answer back unchanged, without its nulls, or rewritten.
 */
export function keyOf(item: MessageOrChoice): string {
  const message = isChoice(item) ? item.message : item;
  if (message.role !== "assistant") return stable(message);
  const { role, content, tool_calls, function_call } = message;
  const calls = tool_calls?.map((call) =>
    call.type === "custom"
      ? { id: call.id, name: call.custom.name, input: call.custom.input }
      : call.type === "function"
        ? { id: call.id, name: call.function.name, arguments: call.function.arguments }
        : call,
  );
  return stable({ role, content: textOf(content) || null, calls: calls?.length ? calls : null, function_call });
}

/** Some programs send a text as a list of parts. */
function textOf(content: unknown): unknown {
  if (!Array.isArray(content) || !content.every((part) => part?.type === "text")) return content;
  return content.map((part) => part.text).join("");
}

/** JSON without nulls, with the members in a fixed order. */
export function stable(value: unknown): string {
  return JSON.stringify(value ?? null, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([, member]) => member !== null)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : part,
  );
}
