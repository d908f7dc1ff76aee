import { groupBy } from "../group.ts";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import { foldChat } from "@trainyard/core/chat";
import { eventsOf as mediaOfEvents, type Operation } from "@trainyard/document";
import { eventsOf } from "../events.ts";
import type { LiveService } from "../../service.ts";
import { isPerformed, type Run } from "../run.ts";
import type { Exchange } from "../wire.ts";
import { shownRequests } from "./requests.ts";

/** Sends the same request with and without streaming, with and without usage, and for several choices. */
export async function tryStreams(run: Run, service: LiveService, operation: Operation): Promise<void> {
  const { stream } = operation;
  if (stream?.fold !== "chat" || operation.path.includes("{")) return;
  const [shown] = shownRequests(run, operation, {});
  if (shown === undefined || !isObject(shown.values.body)) return;
  const body = { ...shown.values.body, seed: 7, temperature: 0 };
  const ask = (extra: JsonObject, tried: string): Promise<Exchange> =>
    run.send(service, operation, { body: { ...body, ...extra }, stream: extra[stream.toggle] === true }, { tried });
  const whole = await ask({}, "whole");
  const streamed = await ask(
    { [stream.toggle]: true, stream_options: { include_usage: true } },
    "as a stream with usage",
  );
  const bare = await ask({ [stream.toggle]: true }, "as a stream");
  const two = await ask({ [stream.toggle]: true, n: 2 }, "as a stream of two choices");
  await ask({ n: 2, logprobs: true, top_logprobs: 2 }, "two choices with log probabilities");
  for (const [exchange, usage, count] of [
    [streamed, true, 1],
    [bare, false, 1],
    [two, false, 2],
  ] as const)
    judgeChunks(run, exchange, { usage, count });
  if (!isPerformed(whole) || !isPerformed(streamed)) return;
  await compareWhole(run, whole, streamed, () => ask({}, "whole, a second time"));
}

/** Checks what the chunks of one response share, and how each choice starts and ends. */
function judgeChunks(run: Run, exchange: Exchange, requested: { usage: boolean; count: number }): void {
  const { operation, answer } = exchange;
  const media = mediaOfEvents(operation?.responses.get("200")?.content ?? new Map());
  const pointer = media?.item?.pointer ?? media?.pointer;
  if (pointer === undefined || answer.status !== 200 || answer.isExample) return;
  const chunks = chunksOf(exchange);
  if (chunks.length === 0) return;
  const report = (says: string, seen: string, at = "") => run.report(exchange, { pointer: pointer + at, says, seen });
  for (const name of ["id", "created", "model"]) {
    const values = new Set(chunks.map((chunk) => chunk[name]));
    if (values.size > 1)
      report(
        "All chunks of a response have the same `id`, `created` and `model`.",
        `${values.size} values of \`${name}\``,
        `/properties/${name}`,
      );
  }
  const usages = chunks.filter(({ usage }) => isObject(usage));
  const says =
    "`usage`: the tokens of the whole response, in the last chunk if the request includes usage; null in the others.";
  if (requested.usage && usages.length !== 1)
    report(says, `${usages.length} chunks with usage, although the request includes it`, "/properties/usage");
  if (!requested.usage && usages.length > 0)
    report(says, "usage, although the request does not include it", "/properties/usage");
  const [last] = usages;
  if (requested.usage && last !== undefined) {
    if (last !== chunks.at(-1)) report(says, "usage before the last chunk", "/properties/usage");
    if (Array.isArray(last["choices"]) && last["choices"].length > 0)
      report(
        "`choices`: the new part of each choice; empty in the chunk with the usage.",
        "choices in the chunk with the usage",
        "/properties/choices",
      );
  }
  judgeChoices(chunks, requested.count, (what, seen) => report(what, seen, "/properties/choices"));
}

function judgeChoices(
  chunks: readonly JsonObject[],
  count: number,
  report: (says: string, seen: string) => void,
): void {
  const pieces = chunks.flatMap(({ choices }) => (Array.isArray(choices) ? choices.filter(isObject) : []));
  const byIndex = groupBy(pieces, ({ index }) => index);
  if (byIndex.size !== count)
    report("The response has `n` choices; one by default.", `${byIndex.size} choices for n ${count}`);
  for (const [index, all] of byIndex) {
    const ends = all.filter((piece) => typeof piece["finish_reason"] === "string");
    if (ends.length !== 1 || ends[0] !== all.at(-1))
      report(
        "`finish_reason`: why the choice ended, in its last chunk; null in the others.",
        `${ends.length} chunks of choice ${String(index)} with a reason`,
      );
    const roles = all.filter(({ delta }) => isObject(delta) && typeof delta["role"] === "string");
    if (roles.length !== 1 || roles[0] !== all[0])
      report(
        "`role`: the speaker, in the first chunk of a choice.",
        `${roles.length} chunks of choice ${String(index)} with a role`,
      );
  }
}

/** Checks that the chunks add up to the response without streaming, unless the same request returns another response each time. */
async function compareWhole(
  run: Run,
  whole: Exchange,
  streamed: Exchange,
  again: () => Promise<Exchange>,
): Promise<void> {
  const folding = foldChat();
  // The chunks themselves have been validated already.
  const add: unknown = Reflect.get(folding, "add");
  if (typeof add !== "function") return;
  let folded: unknown;
  try {
    for (const chunk of chunksOf(streamed)) Reflect.apply(add, folding, [chunk]);
    folded = folding.value();
  } catch {
    return;
  }
  const [one, other] = [gistOf(folded), gistOf(whole.answer.json?.value)];
  if (one === other) return;
  const second = await again();
  if (gistOf(second.answer.json?.value) !== other)
    return run.findings.note(
      `${whole.operation?.name}: the same request returns another response each time, so streams were not compared.`,
    );
  const media = mediaOfEvents(streamed.operation?.responses.get("200")?.content ?? new Map());
  run.report(streamed, {
    pointer: media?.item?.pointer ?? media?.pointer ?? "#",
    says: "The chunks of a stream add up to the response without streaming.",
    seen: "a text, finish reason or usage that differs from the response without streaming",
  });
}

/** The part of a response that is the same with and without streaming: text, tool calls, finish reason, usage. */
function gistOf(value: unknown): string {
  if (!isObject(value)) return "";
  const choices = (Array.isArray(value["choices"]) ? value["choices"] : [])
    .filter(isObject)
    .map(({ finish_reason: reason, message }) => {
      const { content = null, tool_calls: calls } = isObject(message) ? message : {};
      const functions = (Array.isArray(calls) ? calls : []).filter(isObject).map((call) => call["function"]);
      return [reason, content, functions];
    });
  return JSON.stringify([choices, value["usage"]]);
}

function chunksOf({ answer, operation }: Exchange): JsonObject[] {
  const data = eventsOf(answer.text);
  return data.flatMap((one) => {
    if (one === operation?.stream?.end) return [];
    try {
      const value: unknown = JSON.parse(one);
      return isObject(value) && !("error" in value) ? [value] : [];
    } catch {
      return [];
    }
  });
}
