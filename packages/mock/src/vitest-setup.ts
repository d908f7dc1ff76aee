/**
 * For `globalSetup` in a vitest config: starts one mock for the whole run, even if several projects name it.
 *
 * @module
 */
import type { TestProject } from "vitest/node";
import { startMock, type Mock } from "./mock.ts";

declare global {
  // Each project loads this module anew, so shared state is stored on the process.
  var trainyardSharedMock: { readonly mock: Promise<Mock>; users: number } | undefined;
}

/** Starts the mock, or joins the running one, and provides its addresses. */
export default async function setup(project: Pick<TestProject, "provide">): Promise<() => Promise<void>> {
  const shared = (globalThis.trainyardSharedMock ??= { mock: startMock(), users: 0 });
  shared.users++;
  const mock = await shared.mock;
  project.provide("trainyardMock", mock.addresses);
  return async () => {
    if (--shared.users > 0) return;
    globalThis.trainyardSharedMock = undefined;
    await mock.close();
  };
}
