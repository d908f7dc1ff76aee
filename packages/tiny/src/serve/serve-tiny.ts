import { listen } from "@trainyard/host";
import { createApp, prefix } from "./app.ts";
import { inThread } from "./in-thread.ts";
import { TinyChat } from "./tiny-chat.ts";

/** The options of a chat server. */
export interface ServeTinyOptions {
  /** 4020 by default; 0 selects any free port. */
  readonly port?: number;
  /** `127.0.0.1` by default, which only this machine can reach. */
  readonly host?: string;
  /** The folder in which the local server stores checkpoints; without it, only the base model is served. */
  readonly checkpoints?: string;
}

/** A running chat server. */
export interface TinyServer {
  /** Its base URL, to which `/chat/completions` is appended: `http://127.0.0.1:4020/v1`. */
  readonly url: string;
  /** Stops accepting requests, and resolves once open requests have ended. */
  close(): Promise<void>;
}

/**
 * Serves the tiny model with the chat completions API: to the local server as its backend, or to any client.
 *
 * @throws Error if the port is in use
 */
export async function serveTiny(options: ServeTinyOptions = {}): Promise<TinyServer> {
  const { port = 4020, host = "127.0.0.1", checkpoints } = options;
  const chat = new TinyChat(inThread(checkpoints));
  const { url, close } = await listen(createApp(chat), { port, host });
  return {
    url: `${url}${prefix}`,
    close: async () => {
      await close();
      await chat.close();
    },
  };
}
