/** @jsxImportSource preact */
import { useState } from "preact/hooks";

export interface ChartTableProps {
  readonly name: string;
  readonly columns: readonly string[];
  /** Created when the table is opened. */
  readonly rows: () => readonly (readonly string[])[];
}

/** The data of a chart as a table, for screen readers and for people who want the numbers. */
export function ChartTable({ name, columns, rows }: ChartTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="as-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{name} as a table</summary>
      {isOpen && (
        <div class="scroll" tabIndex={0} role="region" aria-label={`${name} as a table`}>
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col" class="num">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows().map((row, at) => (
                <tr key={at}>
                  {row.map((cell, place) => (
                    <td key={place} class="num">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
