import { zstdCompressSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { commands, type Commands } from "../../src/store/commands/index.ts";
import { migrate } from "../../src/store/migrations.ts";
import { NodeDatabase } from "../../src/store/node-database.ts";
import { number } from "../../src/store/row.ts";

/** Data that a test writes as an earlier version did, whose rows are derived when a question is asked. */
export function makeData() {
  const database = new NodeDatabase(":memory:");
  migrate(database);
  onTestFinished(() => database.close());
  const context = { database, now: 0 };
  const underived = (source: "log" | "job", sql: string, params: Record<string, string | number | Uint8Array>) => {
    const row = database.get(`${sql} returning seq`, params);
    const seq = row ? number(row, "seq") : 0;
    database.run("insert into underived(source, seq) values(:source, :seq)", { source, seq });
  };
  return {
    database,
    addModel: (id: string) =>
      database.run(
        `insert into models(id, entity, project, name, base_model, created) values(:id, 'harbor', 'p', :id, 'demo/tiny', 1)`,
        { id },
      ),
    addLog(model: string, step: number, split: string, groups: readonly unknown[]) {
      const body = Buffer.from(JSON.stringify({ split, trajectory_groups: groups }));
      this.addBody(model, step, split, body.length % 2 === 0 ? body : zstdCompressSync(body));
    },
    /** @param body compressed or not, whatever its size: readers accept both */
    addBody: (model: string, step: number, split: string, body: Uint8Array) =>
      underived(
        "log",
        "insert into logs(model_id, step, split, created, body) values(:model, :step, :split, 5, :body)",
        { model, step, split, body },
      ),
    addJob: (model: string, id: string, groups: readonly object[]) =>
      underived(
        "job",
        `insert into jobs(id, entity, model_id, kind, status, request, created)
         values(:id, 'harbor', :model, 'rl', 'queued', :request, 6)`,
        { model, id, request: JSON.stringify({ trajectory_groups: groups }) },
      ),
    /** Adds a completed job without groups, `j<step>`, that created a step with one update. */
    addMade(model: string, step: number, update: object) {
      const [made, job] = [`c${step}`, `j${step}`];
      this.addJob(model, job, []);
      database.run("update jobs set status = 'completed' where id = :job", { job });
      database.run("insert into checkpoints(id, model_id, step, created) values(:made, :model, :step, 7)", {
        made,
        model,
        step,
      });
      for (const [type, event] of [
        ["gradient_step", update],
        ["training_ended", { checkpoint_id: made }],
      ] as const)
        database.run("insert into events(id, job_id, type, data, created) values(:id, :job, :type, :event, 8)", {
          id: `${type}${step}`,
          job,
          type,
          event: JSON.stringify(event),
        });
    },
    /** Derives the rows of all logs and jobs. Returns the sentences about those that cannot be read. */
    derive(budget = 1000): readonly string[] {
      const { left, damaged } = database.transaction(() => commands["rows.derive"](context, { budget }));
      return left === 0 ? damaged : [...damaged, ...this.derive(budget)];
    },
    /** @throws Error if the answer is a word, such as `not-found` */
    ask<K extends keyof Commands>(name: K, input: Parameters<Commands[K]>[1]) {
      this.derive();
      // The name decides both types, which the compiler cannot follow.
      const found = commands[name](context, input as never) as ReturnType<Commands[K]>;
      if (typeof found === "string") throw new Error(found);
      return found as Exclude<typeof found, string>;
    },
    /** The ids of all items of a list, page by page. */
    idsOf<K extends "runs.list" | "groups.list" | "rollouts.list">(name: K, input: Parameters<Commands[K]>[1]) {
      const ids: string[] = [];
      for (let more = true; more;) {
        const page = this.ask(name, { ...input, ...(ids.length > 0 && { after: ids.at(-1) }) });
        ids.push(...page.data.map(({ id }) => id));
        more = page.has_more;
      }
      return ids;
    },
  };
}

export const answer = (text: string, logprob?: number): object => ({
  index: 0,
  finish_reason: "stop",
  message: { role: "assistant", content: text },
  ...(logprob !== undefined && { logprobs: { content: [{ token: text, logprob, top_logprobs: [] }] } }),
});
export const attempt = (reward: number, text = "", logprob?: number) => ({
  messages_and_choices: [{ role: "user", content: "Which track?" }, answer(text, logprob)],
  reward,
});
