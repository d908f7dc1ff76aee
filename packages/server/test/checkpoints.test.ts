import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import type { ServerOptions } from "../src/index.ts";
import { makeServer, until, type TestServer } from "./lib.ts";
import { ended, groupsOf, newModel, trainer } from "./trainers.ts";
import { temporaryFolder } from "./folders.ts";

// The folder in which trainers store checkpoints, as seen by a chat server that shares it.

/** Creates a model with so many steps. */
async function trained(server: TestServer, steps: number): Promise<string> {
  const { training } = server.clients();
  const { id } = await newModel(training);
  for (let step = 1; step <= steps; step++) {
    const job = await training.trainingJobs.createRl({ model_id: id, trajectory_groups: groupsOf({}) });
    expect(await ended(training, job.id)).toMatchObject({ status: "completed" });
  }
  return id;
}

it(
  "stores checkpoints in their own folder, and deletes only the files of deleted ones",
  { tags: ["long"] },
  async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "notes.txt"), "not of the server");
    // A trainer runs in another folder than the server, so a relative path would lead elsewhere.
    const checkpoints = relative(process.cwd(), folder);
    const options: ServerOptions = { data: temporaryFolder(), checkpoints, trainer: { ...trainer, cwd: "/" } };
    const server = makeServer(options);
    const [a, b] = await Promise.all([trained(server, 2), trained(server, 1)]);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining([a, b, "notes.txt"]));
    expect(readdirSync(join(folder, a)).toSorted()).toEqual(["model.json", "step1", "step2"]);
    expect(readFileSync(join(folder, a, "step2/weights"), "utf8")).toBe("none+rl1+rl2");
    const { training } = server.clients();
    await training.models.checkpoints.delete(a, { steps: [1] });
    await until(async () => !existsSync(join(folder, a, "step1")));
    expect(existsSync(join(folder, a, "step2"))).toBe(true);
    await training.models.delete(b);
    await until(async () => !existsSync(join(folder, b)));
    await server.end();

    // Nothing can use the unfinished attempts of a killed server.
    mkdirSync(join(folder, "under-way/x-1/output"), { recursive: true });
    const next = makeServer(options);
    await next.clients().training.health.check();
    expect(readdirSync(folder)).not.toContain("under-way");
    expect(readdirSync(join(folder, a))).toContain("step2");
    await next.reset();
    expect(readdirSync(folder)).not.toContain(a);
    expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("not of the server");
    await next.end();
  },
);

it("leaves no files of a server in memory", async () => {
  const checkpoints = temporaryFolder();
  const server = makeServer({ checkpoints, trainer });
  const id = await trained(server, 1);
  expect(existsSync(join(checkpoints, id, "step1"))).toBe(true);
  await server.end();
  expect(existsSync(join(checkpoints, id))).toBe(false);
});

it("does not share the folder of checkpoints with another server, and names its owner", async () => {
  const checkpoints = temporaryFolder();
  const [first, data] = [makeServer({ checkpoints }), temporaryFolder()];
  expect(() => makeServer({ data, checkpoints })).toThrow(
    `The checkpoints folder ${checkpoints} is in use by process ${process.pid}. Stop it, or choose another folder.`,
  );
  // The server that failed to start does not hold the data folder.
  await makeServer({ data }).end();
  await first.end();
  await makeServer({ data, checkpoints }).end();
});
