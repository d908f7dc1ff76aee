/**
 * Says whether a training run is ill, from what a program logged and trained: rules that are the same in the console, in
 * `trainyard doctor` and in a training loop.
 *
 * @module
 */
export { doctor, type Diagnosis, type DoctorFinding } from "./doctor.ts";
export { figuresOf, History, jobOf, lagOf, mostGroups, window } from "./history.ts";
export type { GroupFigures, JobFigures, RunFigures, StepFigures } from "./history.ts";
export * from "./message.ts";
export * from "./reading.ts";
export { advantagesOf, defaultAdvantages, spreadOf } from "./spread.ts";
export type { Advantages, AdvantageSettings, Spread } from "./spread.ts";
