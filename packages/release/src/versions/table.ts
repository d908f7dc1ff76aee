export { type Release, readReleases } from "@trainyard/contract";
