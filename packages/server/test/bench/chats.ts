import { Connection, requestBytes } from "./connection.ts";
import { newFolder, startLocal } from "./processes.ts";
import { atMost, median, ratioOf, type Row } from "./report.ts";

const rounds = 11;

/** Chats, one after the other, while another caller sends a prompt of 31 MiB, which is longer than the tiny model's context. */
export async function measureChats(): Promise<Row> {
  const { child, url } = await startLocal(newFolder());
  const requestOf = (content: string) => {
    const body = { model: "demo/tiny", max_completion_tokens: 32, messages: [{ role: "user", content }] };
    return requestBytes(`${url}/inference/v1/chat/completions`, JSON.stringify(body));
  };
  const [short, long] = [requestOf("Is the train late?"), requestOf("Is the train late? ".repeat((31 * 2 ** 20) / 19))];
  const [chats, other] = [await Connection.open(url), await Connection.open(url)];
  const waits: Record<"quiet" | "beside", number[]> = { quiet: [], beside: [] };
  let longest = 0;
  for (let round = 0; round < rounds; round++) {
    const chatUntil = async (isOver: (times: readonly number[]) => boolean): Promise<number[]> => {
      const times: number[] = [];
      for (let sent = performance.now(); !isOver(times); sent = performance.now()) {
        await chats.ask(short);
        times.push(performance.now() - sent);
      }
      return times;
    };
    const quiet = await chatUntil((times) => times.length === 20);
    let answer = "";
    const prompt = other.ask(long).catch((error: unknown) => (answer = String(error)));
    const beside = await chatUntil(() => answer !== "");
    await prompt;
    if (!answer.includes("context_length_exceeded")) throw new Error(answer);
    // The first round loads what is needed.
    if (round === 0) continue;
    waits.quiet.push(median(quiet));
    waits.beside.push(median(beside));
    longest = Math.max(longest, ...beside);
  }
  for (const connection of [chats, other]) connection.close();
  child.kill();
  return {
    what: "A chat beside a prompt of 31 MiB, against one alone",
    ours: `${median(waits.beside).toFixed(1)} ms, longest ${longest.toFixed(0)} ms`,
    other: `${median(waits.quiet).toFixed(1)} ms`,
    ...atMost(ratioOf(waits.beside, waits.quiet), 2),
  };
}
