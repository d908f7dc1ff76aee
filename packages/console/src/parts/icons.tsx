/** @jsxImportSource preact */

const ring = "M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0z";

/** The lines of each icon, and its filled part if it has one. */
const paths = {
  mark: ["M2 13.5h13M2 13.5c4.5 0 5.5-9 13-9", "M15.6 4.6a1.2 1.2 0 1 1-2.4 0 1.2 1.2 0 0 1 2.4 0z"],
  find: ["M11 6.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0zM10 10l4 4"],
  theme: [ring, "M8 1.8a6.2 6.2 0 0 1 0 12.4z"],
  before: ["M10 3 5 8l5 5"],
  after: ["m6 3 5 5-5 5"],
  warning: ["M8 2 14.5 13.5h-13zM8 6.4v3.4M8 11.4v.6"],
  failure: [`${ring}M5.8 5.8l4.4 4.4m0-4.4-4.4 4.4`],
  note: [`${ring}M8 7.4v3.6M8 4.8v.4`],
} as const;
const pen = { fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-linecap": "round" } as const;
/** An icon beside text, or inside a button that has a label. */
export function Icon({ name, size = 16 }: { readonly name: keyof typeof paths; readonly size?: number }) {
  const [line, area] = paths[name];
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" {...pen}>
      <path d={line} />
      {area !== undefined && <path d={area} fill="currentColor" />}
    </svg>
  );
}
