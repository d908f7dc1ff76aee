/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from "preact";
import type { ReadError } from "../api/read.ts";
import { hrefOf } from "../state/address.ts";
import { Frame } from "./frame.tsx";

/** A page that has nothing else to show: never a blank one. */
export function Notice({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="notice card" role="status">
      <h1>{title}</h1>
      {children}
    </section>
  );
}

/** Why a page cannot be shown, and what to do. */
export function Failed({ error, what }: { readonly error: ReadError; readonly what: string }): JSX.Element {
  return (
    <Frame title={what}>
      <Why error={error} what={what} />
    </Frame>
  );
}

function Why({ error, what }: { readonly error: ReadError; readonly what: string }): JSX.Element {
  const runs = <a href={hrefOf([])}>All runs</a>;
  if (error.status === 404) {
    return (
      <Notice title={what === "Run" ? "This run was deleted" : `This ${what.toLowerCase()} is not there`}>
        <p>
          {what === "Run"
            ? "It, its checkpoints and its rollouts are gone, or the address is not whole."
            : error.message}
        </p>
        <p>{runs}</p>
      </Notice>
    );
  }
  if (error.status === 401 || error.status === 403)
    return <Closed message={error.status === 403 ? error.message : undefined} />;
  return (
    <Notice title="This page cannot be shown">
      <p>{error.message}</p>
      <p>{runs}</p>
    </Notice>
  );
}

/** The browser has no cookie, or one of a server that has ended. */
export function Closed({ message }: { readonly message?: string | undefined }): JSX.Element {
  return (
    <Notice title="Open the printed address">
      <p>{message ?? "This browser may not read the console yet, or the server was started again."}</p>
      <p>
        The server printed an address with a code when it started, <code>console http://…/console/#…</code>. Open that
        one. It is good while the server runs.
      </p>
    </Notice>
  );
}

/** What is shown at its final size while it is read. */
export function Waiting({ height }: { readonly height: number }): JSX.Element {
  return <div class="card" style={{ minHeight: `${height}px` }} aria-busy="true" />;
}
