/**
 * Mocks in vitest: one in process that is reset after each test, or the one that `@trainyard/mock/vitest/setup` started
 * for the whole run.
 *
 * @module
 */
import { afterEach, inject } from "vitest";
import type { ServiceOptions } from "./example-service.ts";
import { defaultKey, mockService, type Connection, type MockService } from "./mock-service.ts";
import type { OperationName, ServiceName } from "./services.ts";
import type { MockAddresses } from "./vitest-context.ts";

/** A service in process, for the tests of this file or block. It is reset after each of them. */
export function useMock<Name extends ServiceName>(
  service: Name,
  options?: ServiceOptions,
): MockService<OperationName<Name>>;
export function useMock<Name extends string = string>(document: object, options?: ServiceOptions): MockService<Name>;
export function useMock(service: ServiceName | object, options?: ServiceOptions): MockService {
  const mock = typeof service === "string" ? mockService(service, options) : mockService(service, options);
  afterEach(() => mock.reset());
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
