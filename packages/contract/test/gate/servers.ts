import { type Row, real, rowsOf } from "./row.ts";

/** Servers and their variables. */
export const servers: readonly Row[] = [
  real(
    "the URL of a server changes",
    "inference",
    (draft) => draft.set("/servers/0/url", "http://127.0.0.1:4999"),
    "breaking or warning",
    "Callers that read it from the document send requests elsewhere.",
  ),
  ...rowsOf(`
training: the description of a server variable changes | neutral | The URL does not change.
  set /servers/1/variables/base_url/description Where it is.
training: an operation gets a server of its own | breaking | It replaces the servers of the document.
  set models.log/servers [{url: http://127.0.0.1:4099}]
training: an operation repeats the servers of the document | neutral | The meaning is the same.
  copy /servers models.log/servers
training: a path gets a server of its own | breaking | It replaces the servers of the document.
  set /paths/~1v1~1health/servers [{url: http://127.0.0.1:4099}]
training: a server is added | additive | The existing ones stay.
  add /servers {url: http://127.0.0.1:4020}
`),
  real(
    "the default of a server variable changes",
    "training",
    (draft) => draft.set("/servers/1/variables/base_url/default", "http://127.0.0.1:1"),
    "breaking or warning",
    "Callers that read it from the document send requests elsewhere.",
  ),
  real(
    "two servers are swapped",
    "training",
    (draft) => draft.list("/servers").reverse(),
    "breaking",
    "Tools use the first one.",
  ),
];
