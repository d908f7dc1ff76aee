/** A call that the mock does not answer as its library wants it. */
export interface Exception {
  readonly name: RegExp;
  readonly reason: string;
}

/** What the mock, which answers by the examples of the documents, cannot do. The local server has no exceptions. */
export const exceptions: readonly Exception[] = [
  {
    name: /^unknown.model$/,
    reason: "The mock keeps nothing, so any model's name is good there. `Prefer: code=404` asks for the error.",
  },
];
