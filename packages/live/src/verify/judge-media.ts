import { isObject } from "@trainyard/core/validation";
import type { DocumentResponse, Media } from "@trainyard/document";
import type { Run } from "./run.ts";
import type { Exchange } from "./wire.ts";

/** The media type and the charset. Returns the declared body that the response is checked against. */
export function judgeMedia(run: Run, exchange: Exchange, response: DocumentResponse): Media | undefined {
  const { answer, operation } = exchange;
  if (response.content.size === 0) {
    if (answer.text !== "")
      run.report(exchange, {
        pointer: response.pointer,
        certainty: "not declared",
        says: `The response ${response.status} has no body.`,
        seen: `a body of ${answer.text.length} characters`,
      });
    return undefined;
  }
  const written = answer.headers.get("content-type");
  const name = (written ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const declared = [...response.content.values()];
  const media = declared.find(({ mediaType }) => mediaType.toLowerCase() === name);
  const isStream = wantsStream(exchange) && answer.status < 300;
  const wanted = isStream
    ? declared.find(({ item }) => item !== undefined)
    : declared.find(({ item }) => item === undefined);
  if (media === undefined || (wanted !== undefined && media !== wanted)) {
    run.report(exchange, {
      pointer: response.pointer,
      says: `The response ${response.status}${isStream && operation?.stream ? ` to \`${operation.stream.toggle}: true\`` : ""} has the media type ${(wanted ?? declared[0])?.mediaType}.`,
      seen: written === null ? "no Content-Type" : `Content-Type: ${written}`,
    });
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(written ?? "")?.[1] ?? "utf-8";
  const isNamed = /^utf-?8$/i.test(charset);
  if (!isNamed || !answer.isUtf8)
    run.report(exchange, {
      pointer: response.pointer,
      basis: "http",
      says: "JSON and event streams are UTF-8.",
      seen: isNamed ? "bytes that are not UTF-8" : `Content-Type: ${written}`,
    });
  // A body in the requested format is judged as such, whatever its media type says.
  return media ?? (answer.json !== undefined || answer.text === "" ? wanted : undefined);
}

/** Whether a request asks for a stream. */
export function wantsStream({ operation, body }: Exchange): boolean {
  return operation?.stream !== undefined && isObject(body) && body[operation.stream.toggle] === true;
}
