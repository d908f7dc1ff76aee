import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { libraryRepository } from "@trainyard/testing/library";
import { expect, it, onTestFinished } from "vitest";
import { startSession, type Session, type Turn } from "./session.ts";
import { turnLines } from "./messages.ts";

/** A queue for the callbacks of a session: events in order, each of which is consumed once. */
function queue<Item>() {
  const { readable, writable } = new TransformStream<Item, Item>();
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  return {
    put: (item: Item) => void writer.write(item),
    take: async () => (await reader.read()).value ?? expect.unreachable(),
  };
}

/** A session in a repository of its own, whose one service, `atlas`, is none of ours. */
async function bench(turned: (turn: Turn) => Promise<void> = async () => {}) {
  const { root, edit, remove } = libraryRepository();
  onTestFinished(remove);
  const turns = queue<Turn>();
  const session = await startSession(root, {
    port: 0,
    async turned(turn) {
      await turned(turn);
      turns.put(turn);
    },
    judged: () => {},
  });
  onTestFinished(() => session.close());
  return { root, edit, session, turn: turns.take };
}

/** Answers the question for the hours: its own fields, or the fault. */
async function hours({ mock }: Session, method = "GET"): Promise<{ status: number; allow: string | null }> {
  const { baseUrl, apiKey } = mock.connect("atlas");
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${baseUrl}/v1/opening-hours`, { method, headers });
  await response.arrayBuffer();
  return { status: response.status, allow: response.headers.get("allow") };
}

const document = "openapi/atlas/openapi.yaml";
const operation = "openapi/atlas/paths/hours-get.yaml";

it("applies a save, keeps the last valid version while the documents are invalid, and continues after that", async () => {
  const { root, session, turn, edit } = await bench();
  const client = (): string => readFileSync(join(root, "packages/atlas/src/generated/client.ts"), "utf8");
  expect((await turn()).report?.outcomes[0]).toMatchObject({ service: "atlas", operations: 7 });
  const { port } = session.mock;
  expect(await hours(session)).toMatchObject({ status: 200 });

  edit("openapi.yaml", "get: { $ref: paths/hours-get.yaml }", "put: { $ref: paths/hours-get.yaml }");
  const moved = await turn();
  expect(moved.changes).toEqual([{ file: document, what: "saved" }]);
  expect(moved.report?.outcomes[0]?.difference.stale).toContain("client.ts");
  expect(client()).toContain('method: "PUT", path: "/v1/opening-hours"');
  expect(await hours(session)).toEqual({ status: 405, allow: "PUT" });
  expect(turnLines(moved)).toEqual([
    "",
    `saved ${document}`,
    expect.stringMatching(/^ {2}atlas {2}7 operations, 6 files: wrote .*client\.ts/),
    expect.stringMatching(/^ {2}served after \d+\.\d s$/),
  ]);

  edit("paths/hours-get.yaml", "OpeningHours.yaml", "OpeningDays.yaml");
  const broken = await turn();
  expect(broken.report).toBeUndefined();
  expect(turnLines(broken).slice(1)).toEqual([
    `saved ${operation}`,
    expect.stringMatching(/^ {2}openapi\/atlas\/paths\/hours-get\.yaml:\d+:\d+$/),
    expect.stringContaining("The $ref names a file that does not exist"),
    expect.stringContaining("Create "),
    "  The last good version is still served.",
  ]);
  expect(client()).toContain("OpeningHours");
  expect(await hours(session, "PUT")).toMatchObject({ status: 200 });

  // The missing file is what mends it: the service leads to it, though it was never there.
  renameSync(
    join(root, "openapi/atlas/schemas/OpeningHours.yaml"),
    join(root, "openapi/atlas/schemas/OpeningDays.yaml"),
  );
  expect((await turn()).problems).toEqual([]);
  expect(client()).toContain("OpeningDays");
  expect(await hours(session, "PUT")).toMatchObject({ status: 200 });
  expect(session.mock.port).toBe(port);
});

it("reports that a file is used by no service, and can be closed while it works", { tags: ["long"] }, async () => {
  const { root, session, turn, edit } = await bench();
  await turn();
  writeFileSync(join(root, "openapi/common/schemas/Idle.yaml"), "type: string\n");
  const idle = await turn();
  expect(idle.changes).toEqual([{ file: "openapi/common/schemas/Idle.yaml", what: "added" }]);
  expect(turnLines(idle).at(-1)).toBe("  No service uses it.");
  rmSync(join(root, "openapi/common/schemas/Idle.yaml"));
  expect((await turn()).changes).toEqual([{ file: "openapi/common/schemas/Idle.yaml", what: "removed" }]);
  edit("paths/hours-get.yaml", "Says when", "Tells when");
  await session.close();
  await expect(fetch(session.mock.url)).rejects.toThrow(TypeError);
});

it("reports a turn that fails, and applies the next save", { tags: ["long"] }, async () => {
  const { turn, edit } = await bench(async ({ changes }) => {
    if (changes.some(({ file }) => file === operation)) throw new Error("The screen is full.");
  });
  await turn();
  edit("paths/hours-get.yaml", "Says when", "Tells when");
  expect(await turn()).toMatchObject({ report: undefined, problems: [{ message: "The screen is full." }] });
  edit("openapi.yaml", "get: { $ref: paths/hours-get.yaml }", "put: { $ref: paths/hours-get.yaml }");
  expect(await turn()).toMatchObject({ changes: [{ file: document, what: "saved" }], problems: [] });
});
