/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";

export interface TableProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** The places of the columns with numbers. */
  readonly isNumber: (column: number) => boolean;
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** The selected row. */
  readonly at?: number | undefined;
}

/** A table, which scrolls by itself. Its last column may have text of several lines. */
export function Table({ label, columns, isNumber, rows, at }: TableProps) {
  const classOf = (column: number) => (isNumber(column) ? "num" : "");
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((name, column) => (
              <th key={column} scope="col" class={classOf(column)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={place} class={place === at ? "on" : ""}>
              {row.map((cell, column) => (
                <td key={column} class={classOf(column)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
