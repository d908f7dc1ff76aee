import * as fc from "fast-check";

const word = fc.constantFrom("text", "refusal", "user", "assistant", "stop", "length", "asc", "auto", "a", "");
const names = fc.constantFrom(
  ...(
    "role content type text refusal finish_reason index message id key audio calls " +
    "size rates metrics mode either tools title x-rate steps"
  ).split(" "),
);

/** For tests: random values with the property names of the conversation's schemas, few of them valid. */
export const conversations: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.oneof(word, fc.integer({ min: -1, max: 3 }), fc.constantFrom(0.5, true, null)),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(names, tie("any"), { maxKeys: 4 }),
    fc.record({ role: word, content: tie("any") }),
    fc.record({ type: word, text: tie("any") }),
    fc.record({ finish_reason: word, index: fc.constantFrom(0, "0"), message: tie("any") }),
  ),
})).any;
