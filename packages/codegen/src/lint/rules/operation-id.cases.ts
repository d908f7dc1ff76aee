import { documentOf, operation, operationOf, type Cases } from "../cases.ts";

const released = {
  "../released/{case}.json": { paths: { "/things": { post: { operationId: "create_thing_things_post" } } } },
};

export const cases: Cases = {
  pass: {
    "the operationId of the interface": {
      document: documentOf({
        "POST /v1/preview/models/{model_id}/log": {
          summary: "Log",
          operationId: "log_v1_preview_models__model_id__log_post",
        },
      }),
    },
    "the name of an interface that differs from the summary": {
      document: operationOf({ summary: "Make Thing", operationId: "thing_creation_things_post" }),
    },
    "summaries of several words, paths with other characters": {
      document: documentOf({
        "GET /system-check/": { summary: "System Check", operationId: "system_check_system_check__get" },
      }),
    },
    "a released operationId after another summary": {
      document: operationOf({ summary: "Make Thing", operationId: "create_thing_things_post" }),
      files: released,
    },
    "an alias that differs by letters": {
      document: documentOf({
        "POST /things/": {
          summary: "Create Thing",
          operationId: "create_thing_alias_things__post",
          "x-alias-of": "create_thing_things_post",
        },
      }),
    },
  },
  fail: {
    "an alias that differs only by an underscore": {
      document: operationOf({
        summary: "Create Thing",
        operationId: "create_thing__things_post",
        "x-alias-of": "create_thing_things_post",
      }),
      says: "The operationId must be built from summary, path and method. Write `create_thing_alias_things_post` for POST /things.",
      at: `${operation}/operationId`,
    },
    "an operationId of another form": {
      document: operationOf({ summary: "Create Thing", operationId: "createThing" }),
      says: "The operationId must be built from summary, path and method. Write `create_thing_things_post` for POST /things.",
      at: `${operation}/operationId`,
    },
    "a released operationId that is renamed with its summary": {
      document: operationOf({ summary: "Make Thing", operationId: "make_thing_things_post" }),
      files: released,
      says: "The operationId of POST /things is released, and must stay. Write `create_thing_things_post`.",
      at: `${operation}/operationId`,
    },
    "no operationId": {
      document: operationOf({ summary: "Create Thing" }),
      says: "The operationId must be built from summary, path and method. Write `create_thing_things_post` for POST /things.",
      at: `${operation}/operationId`,
    },
    "the operationId of another operation": {
      document: documentOf({
        "POST /things": { summary: "Create Thing", operationId: "create_thing_things_post" },
        "POST /thin-gs": { operationId: "create_thing_things_post" },
      }),
      says: "`create_thing_things_post` is also the operationId of POST /things. Each operation has its own.",
      at: "#/paths/~1thin-gs/post/operationId",
    },
  },
};
