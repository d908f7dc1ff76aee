import type { JsonObject } from "@trainyard/core/validation";
import { answer, answerOf, type Cases } from "../cases.ts";

const { id, name }: Record<string, JsonObject> = { id: { type: "string" }, name: { type: "string" } };
const base = { $ref: "#/components/schemas/Base" };
const Base = { properties: { id } };

const says = (written: string): string =>
  `\`required\` names \`${written}\`, which is not declared. Declare it below \`properties\`, or correct the name.`;

export const cases: Cases = {
  pass: {
    "a declared name": { document: answerOf({ properties: { id }, required: ["id"] }) },
    "a name that another schema of an intersection declares": {
      document: answerOf({ allOf: [base, { required: ["id"] }] }, { Base }),
    },
    "a name that a schema of an intersection declares for the whole": {
      document: answerOf({ allOf: [{ allOf: [base] }], required: ["id"] }, { Base }),
    },
    "a name beside a reference": { document: answerOf({ ...base, required: ["id"] }, { Base }) },
    "a name in each variant": {
      document: answerOf({ required: ["id"], oneOf: [base, { properties: { id, name } }] }, { Base }),
    },
    "names in conditions": {
      document: answerOf({
        properties: { id, name },
        anyOf: [{ required: ["id"] }, { required: ["name"] }],
        not: { required: ["id", "name"] },
        if: { required: ["id"] },
        else: { required: ["name"] },
        dependentSchemas: { id: { required: ["name"] } },
      }),
    },
    "a component that is a part of others only": {
      document: answerOf(
        { properties: { id }, allOf: [{ $ref: "#/components/schemas/Named" }] },
        { Named: { required: ["id"] } },
      ),
    },
  },
  fail: {
    "a name that is not declared": {
      document: answerOf({ properties: { id }, required: ["id", "idd"] }),
      says: says("idd"),
      at: `${answer}/schema/required/1`,
    },
    "a name beside an intersection of references": {
      document: answerOf({ allOf: [base], required: ["idd"] }, { Base }),
      says: says("idd"),
      at: `${answer}/schema/required/0`,
    },
    "a name in an intersection": {
      document: answerOf({ allOf: [base, { required: ["idd"] }] }, { Base }),
      says: says("idd"),
      at: `${answer}/schema/allOf/1/required/0`,
    },
    "a name beside a reference": {
      document: answerOf({ ...base, required: ["idd"] }, { Base }),
      says: says("idd"),
      at: `${answer}/schema/required/0`,
    },
    "a name that another variant declares": {
      document: answerOf({ oneOf: [{ properties: { id } }, { properties: { name }, required: ["id"] }] }),
      says: says("id"),
      at: `${answer}/schema/oneOf/1/required/0`,
    },
  },
};
