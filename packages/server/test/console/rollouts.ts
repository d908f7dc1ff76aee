import { join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { deriveRows } from "../../src/store/commands/derive.ts";
import { NodeDatabase } from "../../src/store/node-database.ts";
import { migrate } from "../../src/store/migrations.ts";

/** The run of a generated data folder. */
export const madeRun = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

/** The size of generated data. */
export interface MadeSize {
  readonly steps: number;
  readonly groups: number;
  readonly attempts: number;
  /** With log probabilities and metadata, and with jobs that train on the logged groups. */
  readonly whole?: boolean;
}

const words = "the parcel left us on time and has not moved since then so I look it up before I promise a refund".split(
  " ",
);

/**
 * Fills a data folder with a run that learns: conversations of eight turns with tools, and a job for each step. The rows of
 * its groups are derived, unless `older` leaves this to a server.
 */
export function makeRollouts(folder: string, { steps, whole = false, ...size }: MadeSize, older = false): void {
  const database = new NodeDatabase(join(folder, "trainyard.sqlite"));
  migrate(database);
  const random = generator(7);
  // The groups of the step before, which a job trains on.
  let trained: readonly object[] = [];
  database.transaction(() => {
    database.run(
      `insert into models(id, entity, project, name, base_model, last_step, created)
       values(:id, 'harbor', 'support-desk', 'agent-1', 'demo/tiny', :steps, 1700000000000)`,
      { id: madeRun, steps },
    );
    for (let step = 0; step < steps; step++) {
      const created = 1_700_000_000_000 + step * 20_000;
      database.run("insert into checkpoints(id, model_id, step, created) values(:id, :run, :step, :created)", {
        id: uuid(step, 1),
        run: madeRun,
        step,
        created,
      });
      const log = makeLog(random, step / steps, { step, whole, ...size });
      const body = Buffer.from(JSON.stringify(log));
      const packed = zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
      database.run(
        "insert into logs(model_id, step, split, created, body) values(:run, :step, 'train', :created, :body)",
        {
          run: madeRun,
          step,
          created: created + 5000,
          body: body.length < 32_768 ? body : packed,
        },
      );
      const request = JSON.stringify({ model_id: madeRun, trajectory_groups: trained });
      trained = whole ? log.trajectory_groups : [];
      if (step === 0) continue;
      const job = { job: uuid(step), run: madeRun, created: created - 10_000 };
      database.run(
        `insert into jobs(id, entity, model_id, kind, status, attempts, request, training_start, training_end, created)
         values(:job, 'harbor', :run, 'rl', 'completed', 1, :request, :created, :created + 9000, :created)`,
        { ...job, request },
      );
      const event = "insert into events(id, job_id, type, data, created) values(:id, :job, :type, :data, :created)";
      for (let update = 0; update < 4; update++) {
        const data = {
          loss: 0.07 - 0.04 * (step / steps) + random() * 0.01,
          entropy: 1.2 - 0.6 * (step / steps),
          kl_reference: 0.001 + 0.004 * (step / steps),
        };
        database.run(event, {
          id: uuid(step, 2 + update),
          job: job.job,
          type: "gradient_step",
          data: JSON.stringify(data),
          created: job.created,
        });
      }
      database.run(event, {
        id: uuid(step, 9),
        job: job.job,
        type: "training_ended",
        data: JSON.stringify({ checkpoint_id: uuid(step, 1) }),
        created: job.created + 9000,
      });
    }
  });
  database.exec("insert into underived(source, seq) select 'log', seq from logs union all select 'job', seq from jobs");
  if (!older) database.transaction(() => deriveRows({ database, now: 0 }, { budget: Number.POSITIVE_INFINITY }));
  database.close();
}

function makeLog(
  random: () => number,
  progress: number,
  { step, groups, attempts, whole = false }: Omit<MadeSize, "steps"> & { step: number },
): { split: string; trajectory_groups: object[] } {
  return {
    split: "train",
    trajectory_groups: Array.from({ length: groups }, (_, group) => ({
      metadata: { task: `task-${(step * groups + group) % 200}` },
      trajectories: Array.from({ length: attempts }, () => makeTrajectory(random, progress, whole)),
      ...(random() < 0.02 && {
        exceptions: [
          { type: "ToolTimeout", message: "find_order gave no answer within 5 s.", traceback: "shop/agent.py:88" },
        ],
      }),
    })),
  };
}

function makeTrajectory(random: () => number, progress: number, whole: boolean): object {
  const resolved = random() < 0.2 + 0.6 * progress;
  const messages: object[] = [
    { role: "system", content: "You answer for a pottery shop. Look before you promise." },
    { role: "user", content: `I ordered ${Math.floor(random() * 9) + 2} mugs and they still are not here.` },
  ];
  for (let turn = 0; turn < 8; turn++) {
    const isLast = turn === 7;
    const content = sentence(random, isLast ? 40 : 8);
    messages.push({
      index: 0,
      finish_reason: isLast ? "stop" : "tool_calls",
      ...(whole && { logprobs: { content: tokensOf(content, random) } }),
      message: isLast
        ? { role: "assistant", content }
        : {
            role: "assistant",
            content,
            tool_calls: [
              {
                id: `call_${turn}`,
                type: "function",
                function: { name: "find_order", arguments: '{"order":"K-20931"}' },
              },
            ],
          },
    });
    if (!isLast)
      messages.push({
        role: "tool",
        tool_call_id: `call_${turn}`,
        content: `{"sent":"12 Oct","state":"${sentence(random, 6)}"}`,
      });
  }
  return {
    messages_and_choices: messages,
    reward: resolved ? 1 : Math.floor(random() * 5) / 4,
    metrics: { resolved, polite: random() },
    ...(whole && { metadata: { seed: Math.floor(random() * 1e9), worker: "rollout-7", sampled_at: 1_762_250_000 } }),
  };
}

/** Each word as a token, and half of them as two. */
function tokensOf(content: string, random: () => number): object[] {
  return content.split(/(?<= )/).flatMap((word, at) =>
    (at % 2 === 0 ? [word] : [word.slice(0, 2), word.slice(2)]).map((token) => ({
      token,
      logprob: -Math.round(random() * 4e6) / 1e6,
      top_logprobs: [],
    })),
  );
}

function sentence(random: () => number, length: number): string {
  return Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(" ");
}

function uuid(number: number, kind = 0): string {
  return `00000000-0000-4000-8${kind}00-${String(number).padStart(12, "0")}`;
}

/** The same random numbers each time. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
