import { UsageError } from "@trainyard/terminal/command";

// Each command loads only its own modules: a trainer is started for every job, and must start fast.
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => {
    const { serveCommand: run, serveHelp: help } = await import("./serve/serve-command.ts");
    return { run, help };
  },
  train: async () => {
    const { trainCommand: run } = await import("./training/command.ts");
    const help =
      "trainyard tiny train: does one training job, as the local server gives it to a program with --trainer";
    return { run, help };
  },
  base: async () => {
    const { loadBase } = await import("./base/base-model.ts");
    return {
      run: async () => {
        // The first time, it is trained before.
        await loadBase();
        const start = performance.now();
        const megabytes = ((await loadBase()).weights.byteLength / 1e6).toFixed(1);
        const passed = (performance.now() - start).toFixed(0);
        console.log(`demo/tiny: ${megabytes} MB of weights, loaded and checked in ${passed} ms.`);
      },
      help: "trainyard tiny base: trains the base model if its weights do not exist, and loads them",
    };
  },
};

interface Command {
  readonly run: (args: string[]) => Promise<void>;
  readonly help: string;
}

/** Runs `trainyard tiny`, and the program that trains. */
export async function run([name = "help", ...args]: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined;
  if (command === undefined) {
    if (!["help", "--help", "-h"].includes(name))
      throw new UsageError(`There is no command ${name}. There are: ${Object.keys(commands).join(", ")}.`);
    for (const load of Object.values(commands)) console.log(`${(await load()).help}\n`);
  } else if (args.includes("--help") || args.includes("-h")) console.log(command.help);
  else await command.run(args);
}
