import { listen } from "@trainyard/host";
import { createApp, prefix } from "./app.ts";
import { inThread } from "./in-thread.ts";
import { TinyChat } from "./tiny-chat.ts";

/** Where the chat server listens, and what it serves. */
export interface ServeTinyOptions {
  /** 4020 by default; 0 for any that is free. */
  readonly port?: number;
  /** `127.0.0.1` by default: nobody but this machine. */
  readonly host?: string;
  /** The folder in which the local server keeps checkpoints; without it the base model alone is served. */
  readonly checkpoints?: string;
}

/** A chat server that runs. */
export interface TinyServer {
  /** Its base URL, to which `/chat/completions` is appended: `http://127.0.0.1:4020/v1`. */
  readonly url: string;
  /** Takes no more requests, and resolves once those under way have ended. */
  close(): Promise<void>;
}

/**
 * Serves the tiny model to who speaks chat completions: to the local server as its backend, or to any client.
 *
 * @throws Error where the port is taken
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
