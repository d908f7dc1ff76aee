/**
 * For `globalSetup` in a vitest config: starts one mock for the whole run, whatever number of projects name it.
 *
 * @module
 */
import type { TestProject } from "vitest/node";
import { startMock, type Mock } from "./mock.ts";
import type { MockAddresses } from "./vitest-context.ts";

interface Shared {
  readonly mock: Promise<Mock>;
  users: number;
}

declare global {
  // Each project loads this module anew: what they share hangs on the process.
  var trainyardSharedMock: Shared | undefined;
}

/** Starts the mock, or joins the one that runs, and provides its addresses. */
export default async function setup(project: Pick<TestProject, "provide">): Promise<() => Promise<void>> {
  const shared = (globalThis.trainyardSharedMock ??= { mock: startMock(), users: 0 });
  shared.users++;
  const mock = await shared.mock;
  const addresses: MockAddresses = mock.addresses;
  project.provide("trainyardMock", addresses);
  return async () => {
    if (--shared.users > 0) return;
    globalThis.trainyardSharedMock = undefined;
    await mock.close();
  };
}
