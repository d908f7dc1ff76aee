import { type Row, real } from "./row.ts";

const health = "/paths/~1v1~1health";

/** Servers and their variables. */
export const servers: readonly Row[] = [
  real(
    "the URL of a server changes",
    "inference",
    (draft) => draft.set("/servers/0/url", "http://127.0.0.1:4999"),
    "breaking or warning",
    "Callers that read it from the document send requests elsewhere.",
  ),
  real(
    "the description of a server variable changes",
    "training",
    (draft) => draft.set("/servers/1/variables/base_url/description", "Where it is."),
    "neutral",
    "The URL does not change.",
  ),
  real(
    "the default of a server variable changes",
    "training",
    (draft) => draft.set("/servers/1/variables/base_url/default", "http://127.0.0.1:1"),
    "breaking or warning",
    "Callers that read it from the document send requests elsewhere.",
  ),
  real(
    "an operation gets a server of its own",
    "training",
    (draft) => draft.set("models.log/servers", [{ url: "http://127.0.0.1:4099" }]),
    "breaking",
    "It replaces the servers of the document.",
  ),
  real(
    "an operation repeats the servers of the document",
    "training",
    (draft) => draft.set("models.log/servers", draft.get("/servers")),
    "neutral",
    "The meaning is the same.",
  ),
  real(
    "a path gets a server of its own",
    "training",
    (draft) => draft.set(`${health}/servers`, [{ url: "http://127.0.0.1:4099" }]),
    "breaking",
    "It replaces the servers of the document.",
  ),
  real(
    "two servers are swapped",
    "training",
    (draft) => draft.list("/servers").reverse(),
    "breaking",
    "Tools use the first one.",
  ),
  real(
    "a server is added",
    "training",
    (draft) => draft.list("/servers").push({ url: "http://127.0.0.1:4020" }),
    "additive",
    "The existing ones stay.",
  ),
];
