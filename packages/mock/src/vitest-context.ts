/** The values that a run's mock provides to tests. */
export type MockAddresses = Readonly<Record<string, string>>;

declare module "vitest" {
  interface ProvidedContext {
    /** The addresses of the mock that serves the whole run, by service. */
    trainyardMock: MockAddresses;
  }
}
