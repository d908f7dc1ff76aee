import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { becomeSoleFollower } from "./sole-follower.ts";

it("follows a job alone: asks another process to exit and waits for it, and takes over from one that was killed", async () => {
  const id = crypto.randomUUID();
  let first = "follows";
  const holder = await becomeSoleFollower(id, () => (first = "was asked"));
  const taking = becomeSoleFollower(id, () => undefined).then((server) => [first, server] as const);
  await expect.poll(() => first).toBe("was asked");
  first = "left";
  holder.close();
  const [then, second] = await taking;
  expect(then).toBe("left");
  second.close();
  await once(second, "close");
  const program = `const { becomeSoleFollower } = await import(${JSON.stringify(import.meta.resolve("./sole-follower.ts"))});
    await becomeSoleFollower(${JSON.stringify(id)}, () => undefined);
    console.log("follows");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  (await becomeSoleFollower(id, () => undefined)).close();
});

it("says who passes a job, if it is started without one", () => {
  const args = ["--conditions=@trainyard/source", `${import.meta.dirname}/cli.ts`, "--", "train"];
  const { stderr } = spawnSync(process.execPath, args, { input: "", encoding: "utf8" });
  expect(stderr).toContain("Standard input has no job. Pass this command to trainyard serve, as its --trainer.");
});
