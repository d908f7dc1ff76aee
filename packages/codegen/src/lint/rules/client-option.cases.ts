import { operation, operationOf, type Cases } from "../cases.ts";

const project = { name: "Project", in: "header", schema: { type: "string" }, "x-client-option": "project" };

export const cases: Cases = {
  pass: {
    "an option with a unique name": { document: operationOf({ parameters: [project] }) },
    "a parameter that two operations share": {
      document: {
        ...operationOf({ parameters: [{ $ref: "#/components/parameters/Project" }] }),
        components: { parameters: { Project: project } },
      },
    },
  },
  fail: {
    "an option that every client has": {
      document: operationOf({ parameters: [{ ...project, "x-client-option": "timeoutMs" }] }),
      says: "Every client already has an option `timeoutMs`. Choose another name.",
      at: `${operation}/parameters/0/x-client-option`,
    },
    "a parameter that is required": {
      document: operationOf({ parameters: [{ ...project, required: true }] }),
      says: "An option is optional, so it cannot fill a required parameter. Make the parameter optional, or remove `x-client-option`.",
      at: `${operation}/parameters/0/x-client-option`,
    },
    "an option for two parameters": {
      document: operationOf({ parameters: [project, { ...project, name: "Team" }] }),
      says: "The option `project` fills `Project` already. Choose another name.",
      at: `${operation}/parameters/1/x-client-option`,
    },
  },
};
