/**
 * Mocks in vitest: in process, reset after each test, or the one that `@trainyard/mock/vitest/setup` starts for the whole
 * run.
 *
 * @module
 */
import { afterEach, inject } from "vitest";
import type { ServiceOptions } from "./example-service.ts";
import type { Mock } from "./mock.ts";
import { defaultKey, serviceWithPlans, type Connection, type MockService } from "./mock-service.ts";
import type { Untyped } from "./operation-types.ts";
import type { ServiceName, Services } from "./services.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The addresses of the mock that serves the whole run, by service. */
    trainyardMock: Mock["addresses"];
  }
}

/** The options of `useMock`. */
export interface UseMockOptions extends ServiceOptions {
  /** Whether a test with unused planned responses fails. Default: false. The error's stack points to the plan. */
  readonly failOnPending?: boolean | undefined;
}

/**
 * A service in process for the tests of this file or block. It is reset after each test. If a function of `on` throws, the
 * test fails, even if the program under test ignored the error.
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
 * @throws Error if the `globalSetup` of the vitest config does not include `@trainyard/mock/vitest/setup`
 */
export function connectMock(service: ServiceName | (string & {})): Connection {
  return connectionTo(inject("trainyardMock"), service);
}

/** The connection to a service at one of these addresses. */
export function connectionTo(addresses: Mock["addresses"] | undefined, service: string): Connection {
  const baseUrl = addresses?.[service];
  if (baseUrl === undefined) {
    throw new Error(
      `No mock serves "${service}". Add "@trainyard/mock/vitest/setup" to globalSetup in the vitest config.`,
    );
  }
  return { baseUrl, apiKey: defaultKey, fetch: (input, init) => fetch(input, init) };
}
