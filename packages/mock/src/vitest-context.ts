/** What the mock of a whole run provides to its tests. */
export type MockAddresses = Readonly<Record<string, string>>;

declare module "vitest" {
  interface ProvidedContext {
    /** The addresses of the mock that serves the whole run, by service. */
    trainyardMock: MockAddresses;
  }
}
