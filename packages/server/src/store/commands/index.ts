import { readArtifact } from "./artifacts.ts";
import { readChanges, readVersion } from "../../console/changes.ts";
import { exportCurve } from "../../console/curve-export.ts";
import { readCurve } from "../../console/curve.ts";
import { readFindings } from "../../console/findings.ts";
import { getGroup, listGroups } from "../../console/groups.ts";
import { countAttempts, listJobEvents, listJobs } from "../../console/jobs.ts";
import { exportRollouts } from "../../console/rollout-export.ts";
import { listRollouts } from "../../console/rollouts.ts";
import { getRun, listRuns } from "../../console/runs.ts";
import { deleteCheckpoints, findModelStep, listCheckpoints } from "./checkpoints.ts";
import { deriveRows } from "./derive.ts";
import { listHardware } from "./hardware.ts";
import { abortImport, beginImport, finishImport, stageImport } from "./imports.ts";
import { claimJob, completeJob, failJob, recoverJobs, releaseJob, runningJobs } from "./job-attempts.ts";
import { readTrainerRequest } from "./trainer-request.ts";
import { addJobEvent, createJob, getJob, listEvents } from "./jobs.ts";
import { addLog, listLogs } from "./logs.ts";
import { check, facts, ping, reset } from "./maintenance.ts";
import { createModel, deleteModel, getModel, listModels } from "./models.ts";
import { readObject } from "./objects.ts";
import { readStatistics } from "./statistics.ts";

/** All commands of the store. Each is one transaction: it takes effect completely or not at all. */
export interface Commands {
  readonly "store.ping": typeof ping;
  readonly "store.check": typeof check;
  readonly "store.facts": typeof facts;
  readonly "store.reset": typeof reset;
  readonly "models.create": typeof createModel;
  readonly "models.step": typeof findModelStep;
  readonly "models.get": typeof getModel;
  readonly "models.list": typeof listModels;
  readonly "models.delete": typeof deleteModel;
  readonly "checkpoints.list": typeof listCheckpoints;
  readonly "checkpoints.delete": typeof deleteCheckpoints;
  readonly "logs.add": typeof addLog;
  readonly "logs.list": typeof listLogs;
  readonly "jobs.create": typeof createJob;
  readonly "jobs.get": typeof getJob;
  readonly "jobs.claim": typeof claimJob;
  readonly "jobs.complete": typeof completeJob;
  readonly "jobs.fail": typeof failJob;
  readonly "jobs.recover": typeof recoverJobs;
  readonly "jobs.release": typeof releaseJob;
  readonly "jobs.running": typeof runningJobs;
  readonly "jobs.request": typeof readTrainerRequest;
  readonly "events.add": typeof addJobEvent;
  readonly "events.list": typeof listEvents;
  readonly "statistics.read": typeof readStatistics;
  readonly "objects.read": typeof readObject;
  readonly "hardware.list": typeof listHardware;
  readonly "artifacts.read": typeof readArtifact;
  readonly "runs.list": typeof listRuns;
  readonly "runs.get": typeof getRun;
  readonly "runs.curve": typeof readCurve;
  readonly "runs.exportCurve": typeof exportCurve;
  readonly "runs.findings": typeof readFindings;
  readonly "runs.version": typeof readVersion;
  readonly "runs.changes": typeof readChanges;
  readonly "groups.list": typeof listGroups;
  readonly "groups.get": typeof getGroup;
  readonly "rollouts.list": typeof listRollouts;
  readonly "rollouts.export": typeof exportRollouts;
  readonly "jobs.list": typeof listJobs;
  readonly "jobs.countAttempts": typeof countAttempts;
  readonly "jobs.events": typeof listJobEvents;
  readonly "rows.derive": typeof deriveRows;
  readonly "imports.begin": typeof beginImport;
  readonly "imports.stage": typeof stageImport;
  readonly "imports.finish": typeof finishImport;
  readonly "imports.abort": typeof abortImport;
}

export const commands: Commands = {
  "store.ping": ping,
  "store.check": check,
  "store.facts": facts,
  "store.reset": reset,
  "models.create": createModel,
  "models.step": findModelStep,
  "models.get": getModel,
  "models.list": listModels,
  "models.delete": deleteModel,
  "checkpoints.list": listCheckpoints,
  "checkpoints.delete": deleteCheckpoints,
  "logs.add": addLog,
  "logs.list": listLogs,
  "jobs.create": createJob,
  "jobs.get": getJob,
  "jobs.claim": claimJob,
  "jobs.complete": completeJob,
  "jobs.fail": failJob,
  "jobs.recover": recoverJobs,
  "jobs.release": releaseJob,
  "jobs.running": runningJobs,
  "jobs.request": readTrainerRequest,
  "events.add": addJobEvent,
  "events.list": listEvents,
  "statistics.read": readStatistics,
  "objects.read": readObject,
  "hardware.list": listHardware,
  "artifacts.read": readArtifact,
  "runs.list": listRuns,
  "runs.get": getRun,
  "runs.curve": readCurve,
  "runs.exportCurve": exportCurve,
  "runs.findings": readFindings,
  "runs.version": readVersion,
  "runs.changes": readChanges,
  "groups.list": listGroups,
  "groups.get": getGroup,
  "rollouts.list": listRollouts,
  "rollouts.export": exportRollouts,
  "jobs.list": listJobs,
  "jobs.countAttempts": countAttempts,
  "jobs.events": listJobEvents,
  "rows.derive": deriveRows,
  "imports.begin": beginImport,
  "imports.stage": stageImport,
  "imports.finish": finishImport,
  "imports.abort": abortImport,
};
