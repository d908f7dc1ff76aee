import { helpOf } from "./settings.ts";

/** The settings of `trainyard serve`. */
export const serveSettings = {
  port: { value: "<number>", help: "the port; 4010 by default, 0 for any free port" },
  host: {
    value: "<address>",
    help: "the address to listen at; 127.0.0.1 by default, which only this machine can reach",
  },
  "allow-host": {
    value: "<name>",
    multiple: true,
    help: "an additional host name by which browsers reach the server, such as that of a proxy in front of it. You can repeat this option",
  },
  "trusted-proxy": {
    value: "<address>",
    multiple: true,
    help: "the address or the network of a proxy (127.0.0.1, 10.0.0.0/8) whose X-Forwarded-For names the client for the log; you can repeat this option",
  },
  data: { value: "<folder>", help: 'where state is kept; .trainyard by default, or "memory"' },
  keys: {
    value: "<file>",
    help: 'the key file, which "trainyard keys" changes; by default keys.json of the data folder, with a key that is created at the first start',
  },
  "control-key-file": {
    value: "<file>",
    help: "a file with the key of /_local, for example for a metrics scraper; by default, control.key of the data folder, created at the first start",
  },
  upstream: {
    value: "<url>",
    help: "a server that answers chat (vLLM, llama.cpp, Ollama …), such as http://127.0.0.1:8000/v1. Its key is read from TRAINYARD_UPSTREAM_KEY: the address contains no user name, and redirects are not followed. By default, the tiny model answers",
  },
  "upstream-timeout": {
    value: "<seconds>",
    help: "how long to wait for the response of --upstream to start, and between two parts of it; 600 by default",
  },
  trainer: {
    value: "<program>",
    help: 'a program that trains, with its arguments; without --upstream, the tiny model\'s own by default. With "none", each job fails',
  },
  "trainer-cwd": { value: "<folder>", help: "the folder that the trainer runs in; the current one by default" },
  "trainer-grace": {
    value: "<seconds>",
    help: "how long a trainer may take to exit after SIGTERM; 10 by default",
  },
  "trainer-jobs": {
    value: "<number>",
    help: "how many jobs the trainer (also the tiny model's own) runs at the same time, each for a different model; 1 by default, 0 keeps jobs queued",
  },
  "trainer-resume": {
    help: "training continues while no server runs, and the next server follows it again (see @trainyard/slurm)",
  },
  "trainer-log-limit": {
    value: "<MiB>",
    help: "the largest trainer.log of an attempt at a job: of more, its beginning and its end are kept; 64 by default",
  },
  checkpoints: {
    value: "<folder>",
    help: "where trainers store checkpoints; in the data folder by default",
  },
  "data-host": {
    value: "<host>",
    multiple: true,
    help: "a host that training data may be downloaded from; you can repeat this option",
  },
  document: {
    value: "<name=file>",
    multiple: true,
    help: "another service, by its OpenAPI document; it returns examples. You can repeat this option",
  },
  allow: {
    value: "<place>",
    multiple: true,
    help: "a folder or an address that the $refs of documents may lead to; you can repeat this option",
  },
  "body-limit": {
    value: "<MiB>",
    multiple: true,
    help: "the largest body: 32 by default, and 128 for Log and Create Rl Training Job; models.log=256 sets it for one operation. You can repeat this option",
  },
  "depth-limit": { value: "<levels>", help: "how deep a body may be nested; 100 by default" },
  "header-limit": { value: "<KiB>", help: "the largest headers of a request; 16 by default, 64 at most" },
  "request-limit": {
    value: "<number>",
    help: "how many requests may be under way at once, and how many bodies each entity may be sending; 256 by default",
  },
  "stop-timeout": {
    value: "<seconds>",
    help: "how long requests under way have after SIGTERM until they are cut; 20 by default",
  },
  site: { value: "<folder>", help: "a site to serve at /docs" },
  console: {
    negative: true,
    help: "serves the console at /console; by default where only this machine can reach the port",
  },
  "check-answers": { help: "checks each response against its document and the rules in it (see /_local/violations)" },
  log: {
    value: "<form>",
    help: "text or json (JSON Lines), on standard error; by default text on a terminal and json elsewhere. none logs no requests",
  },
  quiet: { help: "does not log requests; the same as --log none" },
} as const;

export const serveHelp: string = `trainyard serve: runs the three services on this machine, with state

${helpOf(serveSettings)}

Each option can be a variable of the environment instead: TRAINYARD_PORT=4010, TRAINYARD_DATA_HOST=a.example,b.example,
TRAINYARD_CONSOLE=false. An option wins over its variable.

  trainyard serve
  trainyard serve --data memory --port 0
  trainyard serve --upstream http://127.0.0.1:8000/v1 --trainer "python3 train.py" --checkpoints /mnt/checkpoints
  trainyard serve --host 0.0.0.0 --keys keys.json --log json 2>> server.log
  TRAINYARD_DATA=/var/lib/trainyard TRAINYARD_HOST=0.0.0.0 trainyard serve`;
