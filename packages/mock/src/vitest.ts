/**
 * Mocks in vitest: one in process that is reset after each test, or the one that `@trainyard/mock/vitest/setup` started
 * for the whole run.
 *
 * @module
 */
import { afterEach, inject } from "vitest";
import type { ServiceOptions } from "./example-service.ts";
import { defaultKey, serviceWithPlans, type Connection, type MockService } from "./mock-service.ts";
import type { Untyped } from "./operation-types.ts";
import type { ServiceName, Services } from "./services.ts";
import type { MockAddresses } from "./vitest-context.ts";

/** How `useMock` makes a service. */
export interface UseMockOptions extends ServiceOptions {
  /** Whether a test fails that leaves planned answers unused; false by default. The error leads to the plan. */
  readonly failOnPending?: boolean | undefined;
}

/**
 * A service in process, for the tests of this file or block. It is reset after each of them. A test fails whose function for `on`
 * throws, even if the program under test kept the error to itself.
 */
export function useMock<Name extends ServiceName>(service: Name, options?: UseMockOptions): MockService<Services[Name]>;
export function useMock<Name extends string = string>(
  document: object,
  options?: UseMockOptions,
): MockService<Untyped<Name>>;
export function useMock(
  service: string | object,
  { failOnPending = false, ...options }: UseMockOptions = {},
): MockService {
  const { mock, plans } = serviceWithPlans(service, options);
  afterEach(() => {
    const failure = plans.failure({ pending: failOnPending });
    mock.reset();
    if (failure !== undefined) throw failure;
  });
  return mock;
}

/**
 * Address, key and `fetch` of a service of the mock that serves the whole run.
 * @throws Error when `@trainyard/mock/vitest/setup` is not among the `globalSetup` of the vitest config
 */
export function connectMock(service: ServiceName | (string & {})): Connection {
  return connectionTo(inject("trainyardMock"), service);
}

/** The connection to a service at one of these addresses. */
export function connectionTo(addresses: MockAddresses | undefined, service: string): Connection {
  const baseUrl = addresses?.[service];
  if (baseUrl === undefined) {
    throw new Error(
      `No mock serves "${service}". Add "@trainyard/mock/vitest/setup" to globalSetup in the vitest config.`,
    );
  }
  return { baseUrl, apiKey: defaultKey, fetch: (input, init) => fetch(input, init) };
}
