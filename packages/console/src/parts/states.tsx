/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { openConsole, ReadError } from "../api/read.ts";
import { hrefOf } from "../state/address.ts";
import { Frame } from "./frame.tsx";

/** A page that has nothing else to show, so that no page is ever empty. */
export function Notice({ title, text = "" }: { readonly title: string; readonly text?: string }) {
  return (
    <section class="notice card" role="status">
      <h1>{title}</h1>
      {text !== "" && <p>{text}</p>}
      <p>
        <a href={hrefOf([])}>All runs</a>
      </p>
    </section>
  );
}

/** Why a page cannot be shown, and what to do. */
export function Failed({ error: { status, message }, what }: { readonly error: ReadError; readonly what: string }) {
  const isMissing = status === 404;
  const title = isMissing ? `This ${what.toLowerCase()} does not exist` : "This page cannot be shown";
  const deleted = "It was deleted, with its checkpoints and rollouts, or the address is wrong.";
  return (
    <Frame title={what}>
      {status === 401 || status === 403 ? (
        <Closed message={status === 403 ? message : undefined} />
      ) : (
        <Notice title={title} text={isMissing && what === "Run" ? deleted : message} />
      )}
    </Frame>
  );
}

/** The browser has no cookie, or one that an earlier control key signed. Whoever opens it stays at this address. */
export function Closed({ message }: { readonly message?: string | undefined }) {
  const [refusal, setRefusal] = useState(message);
  const open = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("code");
    if (typeof given !== "string") return;
    openConsole(given.trim().replace(/^.*#/, "")).then(
      () => location.reload(),
      (error: unknown) => setRefusal(ReadError.of(error).message),
    );
  };
  return (
    <section class="notice card" role="status">
      <h1>Sign in to see this page</h1>
      <p>{refusal ?? "This browser has no access to the console yet, or the server has another control key now."}</p>
      <p>
        The server printed an address with a code when it started, <code>console http://…/console/#…</code>. Open that
        address, or enter its code here. The code is valid until the server stops. A key that may read the console, such
        as the control key, does the same.
      </p>
      <form class="filters" onSubmit={open}>
        <label>
          Printed code or key <input name="code" type="password" autocomplete="off" required />
        </label>
        <button type="submit" class="button">
          Open
        </button>
      </form>
    </section>
  );
}

/**
 * The code that logs a first group, with the address of this server. The page updates itself.
 *
 * @param model a model that exists already
 */
export function FirstCode({ model }: { readonly model?: string }) {
  const create = `const model = await training.models.create({ project: "first", name: "agent", base_model: "demo/tiny" });\n`;
  return (
    <section class="notice card" aria-labelledby="first">
      <h2 id="first">{model === undefined ? "No runs yet" : "Nothing was logged yet"}</h2>
      <p>
        {model === undefined
          ? "Create a model and log an attempt. The run appears here"
          : "Log an attempt. It appears here"}{" "}
        after the first log.
      </p>
      <div class="pre" tabIndex={0} role="region" aria-label="Code that logs a first group">
        {`const training = createTrainingClient({ baseUrl: "${location.origin}", apiKey });
${model === undefined ? create : ""}await training.models.log(${model === undefined ? "model.id" : JSON.stringify(model)}, { split: "train", trajectory_groups: [{ trajectories: [{ reward: 1 }, { reward: 0 }] }] });`}
      </div>
      {model === undefined && (
        <p>
          Or watch a small model learn in seconds, on your machine: <code>npx -y pnpm@12 start</code>
        </p>
      )}
    </section>
  );
}

/** A placeholder with the final size, shown while the data are read. */
export function Waiting({ height }: { readonly height: number }) {
  return <div class="card" style={{ minHeight: `${height}px` }} aria-busy="true" />;
}
