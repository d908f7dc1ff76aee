// A real Slurm cluster in a folder: a controller and three nodes with one processor each, on the loopback interface.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { hostname, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { until } from "./lib.ts";

const programs = ["slurmctld", "slurmd", "munged", "sbatch", "scontrol", "scancel", "squeue", "sinfo"];

/** Whether Slurm is installed here. */
export function hasSlurm(): boolean {
  addSystemPrograms();
  return process.platform === "linux" && programs.every(isThere);
}

/** Whether a program is in PATH. */
export function isThere(program: string): boolean {
  return spawnSync("which", [program]).status === 0;
}

/** A cluster for tests. */
export interface Cluster {
  /** The output of a Slurm command. */
  ask(program: string, ...args: string[]): string;
  /** Kills the daemon of a node, and everything that runs there. */
  killNode(name: string): Promise<void>;
  startNode(name: string): void;
  /** Waits until no node is busy or down. */
  allIdle(): Promise<unknown>;
  stopController(): Promise<void>;
  startController(): void;
  /** Ends all processes of the cluster. */
  end(): Promise<void>;
}

/** Starts a cluster. While it runs, the Slurm commands of this process use it, because `SLURM_CONF` is set. */
export async function startCluster(folder: string): Promise<Cluster> {
  addSystemPrograms();
  const conf = join(folder, "slurm.conf");
  const socket = join(folder, "munge.socket");
  for (const name of ["state", "spool", "munge"]) mkdirSync(join(folder, name), { mode: 0o700 });
  const key = join(folder, "munge/key");
  writeFileSync(key, randomBytes(128), { mode: 0o400 });
  writeFileSync(conf, configuration(folder, socket, await freePorts(4)));
  process.env["SLURM_CONF"] = conf;
  const daemons = new Map<string, ChildProcess>();
  const start = (name: string, program: string, ...args: string[]) => {
    daemons.set(name, spawn(program, args, { stdio: "ignore" }));
  };
  const stop = async (name: string, signal: NodeJS.Signals) => {
    const daemon = daemons.get(name);
    if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const gone = once(daemon, "exit");
    daemon.kill(signal);
    await gone;
  };
  const ask = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: "utf8" }).stdout.trim();
  const startController = () => start("controller", "slurmctld", "-D");
  const startNode = (name: string) => start(name, "slurmd", "-D", "-N", name);
  const own = ["key-file", "pid-file", "log-file", "seed-file"].map(
    (name) => `--${name}=${join(folder, "munge", name.slice(0, -5))}`,
  );
  start("munged", "munged", "--foreground", "--force", `--socket=${socket}`, ...own);
  await until(async () => ask("munge", "-n", `--socket=${socket}`).startsWith("MUNGE"));
  startController();
  for (const name of nodes) startNode(name);
  const cluster: Cluster = {
    ask,
    killNode: async (name) => {
      await stop(name, "SIGKILL");
      // A node ends with everything that ran there: here, the processes with its name. The processes that watch them end
      // first, because they would report the end of the others.
      const programs = processesWith("SLURMD_NODENAME", name);
      const watchers = new Set(programs.map(parentOf).filter(isStepDaemon));
      for (const pid of [...watchers, ...programs]) kill(pid);
    },
    startNode,
    allIdle: () =>
      until(async () => ask("sinfo", "--noheader", "--Node", "--partition=gpu", "--format=%T") === "idle\nidle\nidle"),
    startController,
    stopController: () => stop("controller", "SIGTERM"),
    end: async () => {
      for (const name of [...nodes, "controller", "munged"]) await stop(name, "SIGTERM");
      for (const pid of processesWith("SLURM_CONF", conf)) kill(pid);
      delete process.env["SLURM_CONF"];
    },
  };
  await cluster.allIdle();
  return cluster;
}

const nodes = ["n1", "n2", "n3"];

function configuration(folder: string, socket: string, [controller, ...ports]: number[]): string {
  const user = userInfo().username;
  const host = hostname();
  return `ClusterName=local
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${controller}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket=${socket}
CredType=cred/munge
SlurmUser=${user}
SlurmdUser=${user}
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool/%n
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/%n.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdTimeout=20
KillWait=5
SlurmdParameters=config_overrides
${nodes.map((name, index) => `NodeName=${name} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${ports[index]} CPUs=1 RealMemory=2000`).join("\n")}
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PartitionName=gpu Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=urgent Nodes=n[1-3] MaxTime=INFINITE State=UP PriorityTier=2
`;
}

/** Ports that were free a moment ago. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}

/** The processes with a variable in their environment, except this one and its parents. */
function processesWith(name: string, value: string): number[] {
  const conf = process.env["SLURM_CONF"];
  const pids = readdirSync("/proc").map(Number).filter(Boolean);
  return pids.filter((pid) => {
    if (pid === process.pid || pid === process.ppid) return false;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      return environment.includes(`${name}=${value}`) && environment.includes(`SLURM_CONF=${conf}`);
    } catch {
      return false;
    }
  });
}

/** Kills a process, which may have ended by itself since it was found. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (Object(error).code !== "ESRCH") throw error;
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

function isStepDaemon(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("slurmstepd");
}

/** The folders of the daemons, which are in the PATH of root only. */
function addSystemPrograms(): void {
  const { PATH = "" } = process.env;
  if (!PATH.split(delimiter).includes("/usr/sbin")) process.env["PATH"] = `${PATH}${delimiter}/usr/sbin`;
}
