import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import { eventsOf as mediaOfEvents, groupBy, responseOf } from "@trainyard/document";
import { parse } from "../../text.ts";
import { eventsOf, fold } from "../judge-body.ts";
import { objectsIn } from "../rules/rule.ts";
import { send, type Run, type Target } from "../run.ts";
import { isPerformed, type Exchange } from "../wire.ts";
import { shownRequests } from "./requests.ts";

export async function tryStreams(target: Target): Promise<void> {
  const { run, operation } = target;
  const { stream } = operation;
  if (stream?.fold !== "chat" || stream.toggle === undefined || operation.path.includes("{")) return;
  const example = shownRequests(target, {})[0]?.values.body;
  if (!isObject(example)) return;
  const body = { ...example, seed: 7, temperature: 0 };
  const ask = (tried: string, extra: JsonObject = {}): Promise<Exchange> =>
    send(target, { body: { ...body, ...extra } }, tried);
  const streamed = { [stream.toggle]: true };
  const whole = await ask("whole");
  const withUsage = await ask("as a stream with usage", { ...streamed, stream_options: { include_usage: true } });
  judgeChunks(run, withUsage, true);
  judgeChunks(run, await ask("as a stream", streamed), false);
  judgeChunks(run, await ask("as a stream of two choices", { ...streamed, n: 2 }), false);
  const probable = { logprobs: true, top_logprobs: 2 };
  judgeChunks(run, await ask("as a stream with log probabilities", { ...streamed, ...probable }), false);
  await ask("two choices with log probabilities", { n: 2, ...probable });
  if (!isPerformed(whole) || !isPerformed(withUsage)) return;
  // A whole response may have no usage.
  const { usage } = Object(whole.answer.json?.value);
  const gistOf = (value: unknown): unknown[] => {
    const { prompt_tokens: prompt, completion_tokens: completion } = Object(usage && Object(value).usage);
    return [choicesOf(value), prompt, completion];
  };
  const folded = fold(chunksOf(withUsage));
  const gist = gistOf(whole.answer.json?.value);
  if (folded === undefined || isDeepStrictEqual(gistOf(folded), gist)) return;
  const second = await ask("whole, a second time");
  if (!isDeepStrictEqual(gistOf(second.answer.json?.value), gist))
    run.findings.notes.add(
      `${operation.name}: the same request returns another response each time, so streams were not compared.`,
    );
  else
    run.report(withUsage, {
      pointer: chunkPointer(withUsage),
      says: "The chunks of a stream add up to the response without streaming.",
      seen: "a text, finish reason or usage that differs from the response without streaming",
    });
}

function chunkPointer({ operation }: Exchange): string {
  const media = mediaOfEvents((operation && responseOf(operation, 200)?.content) ?? new Map());
  return media?.item?.pointer ?? media?.pointer ?? "#";
}

const usageRule =
  "`usage`: the tokens of the whole response, in the last chunk if the request includes usage; null in the others.";

function judgeChunks(run: Run, exchange: Exchange, wantsUsage: boolean): void {
  const chunks = chunksOf(exchange);
  const { status, isExample } = exchange.answer;
  if (status !== 200 || isExample || chunks.length === 0) return;
  const report = (property: string, says: string, seen: string): void =>
    run.report(exchange, { pointer: `${chunkPointer(exchange)}/properties/${property}`, says, seen });
  for (const name of ["id", "created", "model"]) {
    const { size } = new Set(chunks.map((chunk) => chunk[name]));
    const says = "All chunks of a response have the same `id`, `created` and `model`.";
    if (size > 1) report(name, says, `${size} values of \`${name}\``);
  }
  const usages = chunks.filter(({ usage }) => isObject(usage));
  const [usage] = usages;
  if (!wantsUsage && usage !== undefined) report("usage", usageRule, "usage, although the request does not include it");
  if (wantsUsage && usages.length !== 1)
    report("usage", usageRule, `${usages.length} chunks with usage, although the request includes it`);
  if (wantsUsage && usage !== undefined) {
    if (usage !== chunks.at(-1)) report("usage", usageRule, "usage before the last chunk");
    const says = "`choices`: the new part of each choice; empty in the chunk with the usage.";
    if (objectsIn(usage["choices"]).length > 0) report("choices", says, "choices in the chunk with the usage");
  }
  const byIndex = groupBy(
    chunks.flatMap(({ choices }) => objectsIn(choices)),
    ({ index }) => index,
  );
  for (const [index, all] of byIndex) {
    const ends = all.filter((piece) => typeof piece["finish_reason"] === "string");
    const roles = all.filter(({ delta }) => isObject(delta) && typeof delta["role"] === "string");
    const of = `chunks of choice ${String(index)} with a`;
    const endRule = "`finish_reason`: why the choice ended, in its last chunk; null in the others.";
    if (ends.length !== 1 || ends[0] !== all.at(-1)) report("choices", endRule, `${ends.length} ${of} reason`);
    const roleRule = "`role`: the speaker, in the first chunk of a choice.";
    if (roles.length !== 1 || roles[0] !== all[0]) report("choices", roleRule, `${roles.length} ${of} role`);
  }
}

/** The part of a response's choices that is the same with and without streaming: text, tool calls, finish reason. */
function choicesOf(value: unknown): unknown[] {
  return objectsIn(Object(value).choices).map(({ finish_reason: reason, message }) => {
    const { content = null, tool_calls: calls } = isObject(message) ? message : {};
    return [reason, content, objectsIn(calls).map((call) => call["function"])];
  });
}

function chunksOf({ answer }: Exchange): JsonObject[] {
  const values = eventsOf(answer.text).map((data) => parse(data)?.value);
  return values.filter(isObject).filter((value) => !("error" in value));
}
