/** @jsxImportSource preact */
import type { JSX } from "preact";

type Name = "mark" | "find" | "theme" | "before" | "after" | "warning" | "failure" | "note" | "close";

const paths: Readonly<Record<Name, JSX.Element>> = {
  mark: (
    <>
      <path d="M2 13.5h13M2 13.5c4.5 0 5.5-9 13-9" />
      <circle cx="14.4" cy="4.6" r="1.2" fill="currentColor" />
    </>
  ),
  find: (
    <>
      <circle cx="6.5" cy="6.5" r="4.5" />
      <path d="m10 10 4 4" />
    </>
  ),
  theme: (
    <>
      <circle cx="8" cy="8" r="6.2" />
      <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" fill="currentColor" stroke="none" />
    </>
  ),
  before: <path d="M10 3 5 8l5 5" />,
  after: <path d="m6 3 5 5-5 5" />,
  warning: <path d="M8 2 14.5 13.5h-13zM8 6.4v3.4M8 11.4v.6" />,
  failure: (
    <>
      <circle cx="8" cy="8" r="6.2" />
      <path d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4" />
    </>
  ),
  note: (
    <>
      <circle cx="8" cy="8" r="6.2" />
      <path d="M8 7.4v3.6M8 4.8v.4" />
    </>
  ),
  close: <path d="m4 4 8 8m0-8-8 8" />,
};

/** An icon beside text, or inside a button that has a label. */
export function Icon({ name, size = 16 }: { readonly name: Name; readonly size?: number }): JSX.Element {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {paths[name]}
    </svg>
  );
}
