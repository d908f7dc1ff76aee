import { afterEach, describe, expect, it, vi } from "vitest";
import { type Answering, demo, failure } from "../test/answering.ts";
import { passing } from "../test/clock.ts";
import type { LogFacts, Logger, LogLevel } from "./logger.ts";

afterEach(() => void vi.restoreAllMocks());

type Line = [level: string, message: string, facts: LogFacts];

/** A logger that keeps what it is given. */
function keeping(): { lines: Line[]; logger: Logger } {
  const lines: Line[] = [];
  const at = (level: string) => (message: string, facts: LogFacts) => void lines.push([level, message, facts]);
  return { lines, logger: { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") } };
}

async function logged(answers: [Answering, ...Answering[]], logLevel?: LogLevel): Promise<Line[]> {
  const { lines, logger } = keeping();
  const { client } = demo(answers, { logger, ...(logLevel && { logLevel }) });
  await passing(() => Promise.allSettled([client.models.get("m1", { headers: { "x-private": "p" } })]));
  return lines;
}

const levels = (lines: Line[]): string[] => lines.map(([level]) => level);

describe("logger", () => {
  const answers: [Answering, ...Answering[]] = [503, failure("ECONNRESET"), 404];

  it.each<[LogLevel, string[]]>([
    ["off", []],
    ["error", ["error"]],
    ["warn", ["warn", "warn", "error"]],
    ["info", ["warn", "warn", "error"]],
    ["debug", ["debug", "warn", "debug", "warn", "debug", "error"]],
  ])("at %s", async (level, expected) => {
    expect(levels(await logged(answers, level))).toEqual(expected);
  });

  it("defaults to warn if a logger is given, and logs each call at info", async () => {
    expect(levels(await logged([503, 200]))).toEqual(["warn"]);
    expect(levels(await logged([503, 200], "info"))).toEqual(["warn", "info"]);
  });

  it("logs operation, attempt, status, request id and times", async () => {
    const busy = new Response("{}", { status: 503, headers: { "retry-after": "2", "x-request-id": "r-1" } });
    const lines = await logged(
      [busy, () => Response.json({ id: "m1" }, { headers: { "x-request-id": "r-2" } })],
      "info",
    );
    expect(lines).toMatchObject([
      [
        "warn",
        "models.get answered 503, retrying",
        { operation: "models.get", attempt: 1, status: 503, requestId: "r-1", delayMs: 2000 },
      ],
      [
        "info",
        "models.get answered 200",
        { operation: "models.get", attempt: 2, status: 200, requestId: "r-2", durationMs: 0 },
      ],
    ]);
  });

  it("shows headers by an allow-list", async () => {
    const answer = (): Response =>
      Response.json({}, { headers: { "set-cookie": "c", "x-request-id": "r", "x-other": "o" } });
    const [sent, answered] = await logged([answer], "debug");
    expect(sent?.[2].headers).toEqual({ accept: "application/json" });
    expect(answered?.[2].headers).toEqual({ "content-type": "application/json", "x-request-id": "r" });
  });

  it("goes to the console if only a level is given, else nowhere", async () => {
    const info = vi.spyOn(console, "info").mockImplementation(() => {});
    await demo([200]).client.models.get("m1");
    expect(info).not.toHaveBeenCalled();
    await demo([200], { logLevel: "info" }).client.models.get("m1");
    expect(info).toHaveBeenCalledTimes(1);
  });
});

describe("an operation that its service deprecates", () => {
  const deprecation = "@1793750400";
  const sunset = "Wed, 03 Feb 2027 00:00:00 GMT";
  const going = (headers: Record<string, string>, status = 200) => Response.json({ id: "m1" }, { status, headers });

  it("is logged once per operation and client", async () => {
    const { lines, logger } = keeping();
    for (const { client } of [demo([going({ sunset })], { logger }), demo([going({ sunset })], { logger })]) {
      await client.models.get("m1");
      await client.models.get("m2");
      await client.models.delete("m1");
    }
    expect(lines.map(([, message]) => message.split(" ")[0])).toEqual([
      "models.get",
      "models.delete",
      "models.get",
      "models.delete",
    ]);
  });

  it.each([
    [{ deprecation }, "models.get answered 200, deprecated"],
    [{ deprecation: "true" }, "models.get answered 200, deprecated"],
    [{ deprecation, sunset }, `models.get answered 200, deprecated until ${sunset}`],
    [{ sunset }, `models.get answered 200, deprecated until ${sunset}`],
    [{ deprecation: "soon", sunset: "in spring" }, "models.get answered 200, deprecated until in spring"],
  ])("is logged for %j as it was sent, malformed or not", async (headers, message) => {
    const { lines, logger } = keeping();
    await demo([going(headers)], { logger }).client.models.get("m1");
    expect(lines).toMatchObject([["warn", message, { headers }]]);
  });

  it("is not logged for an empty header, or below its level", async () => {
    const { lines, logger } = keeping();
    await demo([going({ deprecation: "", sunset: "" })], { logger }).client.models.get("m1");
    await demo([going({ sunset })], { logger, logLevel: "error" }).client.models.get("m1");
    expect(lines).toEqual([]);
  });

  it("is logged as an error if the call fails", async () => {
    const { lines, logger } = keeping();
    const { client } = demo([going({ sunset }, 404)], { logger });
    await expect(client.models.get("m1")).rejects.toThrow("models.get: answered 404");
    expect(lines.map(([level, message]) => [level, message])).toEqual([
      ["error", `models.get answered 404, deprecated until ${sunset}`],
    ]);
  });
});
