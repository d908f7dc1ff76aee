/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { ReadError } from "../api/read.ts";
import { hrefOf } from "../state/address.ts";
import { Frame } from "./frame.tsx";

/** A page that has nothing else to show, so that no page is ever empty. */
export function Notice({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="notice card" role="status">
      <h1>{title}</h1>
      {children}
    </section>
  );
}

interface FailedProps {
  readonly error: ReadError;
  readonly what: string;
}

/** Why a page cannot be shown, and what to do. */
export function Failed(props: FailedProps) {
  return (
    <Frame title={props.what}>
      <Why {...props} />
    </Frame>
  );
}

function Why({ error, what }: FailedProps) {
  const runs = <a href={hrefOf([])}>All runs</a>;
  if (error.status === 404) {
    return (
      <Notice title={what === "Run" ? "This run was deleted" : `This ${what.toLowerCase()} does not exist`}>
        <p>
          {what === "Run"
            ? "Its checkpoints and rollouts were deleted as well. Or the address is incomplete: check it."
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

/** The browser has no cookie, or that of a server that has stopped. */
export function Closed({ message }: { readonly message?: string | undefined }) {
  return (
    <Notice title="Open the printed address">
      <p>{message ?? "This browser has no access to the console yet, or the server was restarted."}</p>
      <p>
        The server printed an address with a code when it started, <code>console http://…/console/#…</code>. Open that
        address. It is valid until the server stops.
      </p>
    </Notice>
  );
}

/** A placeholder with the final size, shown while the data are read. */
export function Waiting({ height }: { readonly height: number }) {
  return <div class="card" style={{ minHeight: `${height}px` }} aria-busy="true" />;
}
