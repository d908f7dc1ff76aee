import { type Row, rowsOf } from "./row.ts";

/** Servers and their variables. */
export const servers: readonly Row[] = [
  ...rowsOf(`
training: the description of a server variable changes | neutral | The URL does not change.
  set /servers/1/variables/base_url/description Where it is.
training: an operation gets a server of its own | breaking | It replaces the servers of the document.
  set models.log/servers [{url: http://127.0.0.1:4099}]
training: an operation repeats the servers of the document | neutral | The meaning is the same.
  copy /servers models.log/servers
training: a path gets a server of its own | breaking | It replaces the servers of the document.
  set /paths/~1v1~1health/servers [{url: http://127.0.0.1:4099}]
training: the default of a server variable changes
  | breaking or warning | Callers that read it from the document send requests elsewhere.
  set /servers/1/variables/base_url/default "http://127.0.0.1:1"
`),
];
