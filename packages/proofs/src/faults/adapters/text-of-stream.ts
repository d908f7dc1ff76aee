/** The text of a streamed completion, read with a client that does not support streams. */
export async function textOfStream(
  body: ReadableStream<Uint8Array> | null | undefined,
  seen: () => void,
): Promise<string> {
  let text = "";
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of body ?? []) {
    rest += decoder.decode(bytes, { stream: true });
    const frames = rest.split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      text += textOf(frame);
      seen();
    }
  }
  return text;
}

function textOf(frame: string): string {
  const data = frame.replace(/^data: /, "");
  if (data === "[DONE]") return "";
  const chunk: { choices: { delta: { content?: string } }[] } = JSON.parse(data);
  return chunk.choices[0]?.delta.content ?? "";
}
