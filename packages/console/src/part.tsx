/** @jsxImportSource preact */
import { render, type ContainerNode } from "preact";
import { follow } from "./api/live.ts";
import { askBy, type Send } from "./api/read.ts";
import { Page } from "./pages/page.tsx";
import { catchLinks, go, hrefOf, keepInHash } from "./state/address.ts";

/**
 * Shows the console as a part of another page, with addresses in the fragment.
 *
 * @param send sends requests to the local server
 * @returns a function that shows a run
 */
export function showConsole(parent: ContainerNode, send: Send): (run: string) => void {
  keepInHash();
  askBy(send);
  catchLinks();
  void follow();
  return (run) => {
    go(hrefOf(["runs", run]), { replace: true });
    render(<Page />, parent);
  };
}
