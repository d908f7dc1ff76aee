import { existsSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "@trainyard/terminal/arguments";
import { UsageError } from "@trainyard/terminal/command";
import { textTable } from "@trainyard/terminal/table";
import { openControl } from "./control.ts";
import { secondsOf } from "./duration.ts";

export const help = `trainyard prune: deletes logs and trainer logs above an age. The server may be running

  --logs <age>          logs that are older, with the groups that the console shows of them: 90d, or in s, m, h, w
  --trainer-logs <age>  the trainer logs of jobs that ended longer ago
  --entity <entity>     only those of an entity; by default, of all
  --dry-run             deletes nothing, and prints what would be deleted
  --data <folder>       the data folder; .trainyard by default
  --checkpoints <folder>  the checkpoints folder, if it is elsewhere and no server runs

  trainyard prune --logs 90d --trainer-logs 30d --dry-run

The metrics of checkpoints, the curves of the console and the results of jobs stay.`;

/** Deletes old logs, through the server of the data folder if one is running. */
export async function run(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: {
      logs: { type: "string" },
      "trainer-logs": { type: "string" },
      entity: { type: "string" },
      "dry-run": {
        type: "boolean",
        default: false,
      },
      data: {
        type: "string",
        default: ".trainyard",
      },
      checkpoints: { type: "string" },
    },
  });
  const { data, entity, "dry-run": dryRun } = values;
  const [logs, trainerLogs] = [ageOf("logs", values.logs), ageOf("trainer-logs", values["trainer-logs"])];
  if (logs === undefined && trainerLogs === undefined)
    throw new UsageError("Name an age with --logs or --trainer-logs, as in --logs 90d. Nothing was deleted.");
  const file = join(data, "trainyard.sqlite");
  if (!existsSync(file)) throw new Error(`There is no data file ${file}. Name the data folder with --data.`);
  const { client, close } = await openControl(data, values.checkpoints);
  try {
    const { entities } = await client.state.prune({
      ...(logs !== undefined && { logs_seconds: logs }),
      ...(trainerLogs !== undefined && { trainer_logs_seconds: trainerLogs }),
      ...(entity !== undefined && { entity }),
      dry_run: dryRun,
    });
    const rows = entities.map((one) => [
      one.entity,
      `${one.logs}`,
      `${one.log_bytes}`,
      `${one.trainer_logs}`,
      `${one.trainer_log_bytes}`,
    ]);
    const head = ["entity", "logs", "bytes", "trainer logs", "bytes"];
    for (const line of rows.length === 0 ? ["Nothing is that old."] : textTable([head, ...rows])) console.log(line);
    if (dryRun) console.log("Nothing was deleted (--dry-run).");
  } finally {
    await close();
  }
}

function ageOf(name: string, text: string | undefined): number | undefined {
  const seconds = text === undefined ? undefined : secondsOf(text);
  if (text !== undefined && seconds === undefined)
    throw new UsageError(`--${name} must be an age, such as 90d, 12h or 2w, not ${text}. Nothing was deleted.`);
  return seconds;
}
