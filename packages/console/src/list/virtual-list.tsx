/** @jsxImportSource preact */
import { Component, type ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export interface VirtualListProps<T> {
  readonly label: string;
  readonly columns: readonly string[];
  /** The number of rows, including those that are not read yet. */
  readonly total: number;
  readonly rowHeight: number;
  /** The selected row. */
  readonly at: number;
  /** Reads rows from an index on. Rows that are not read yet are shown empty. */
  readonly rowsAt: (from: number, to: number) => readonly (T | undefined)[];
  /** Called with the visible rows. */
  readonly onView: (from: number, to: number) => void;
  readonly onSelect: (place: number) => void;
  readonly cells: (row: T) => readonly ComponentChildren[];
}

/** Additional rows above and below the visible ones, so that scrolling shows no gap. */
const margin = 8;

/** A list of any length; only visible rows are in the page. It is one tab stop, and the arrow keys change the row. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { label, columns, total, rowHeight, at, rowsAt, onView, onSelect, cells } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - margin);
  const last = Math.min(total, Math.ceil((view.top + view.height) / rowHeight) + margin);
  useEffect(() => onView(first, last), [first, last, onView]);
  useEffect(() => {
    const element = box.current;
    if (element === null || at < 0) return;
    const top = at * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight - rowHeight) {
      element.scrollTop = top + 2 * rowHeight - element.clientHeight;
    }
  }, [at, rowHeight]);
  const rows = rowsAt(first, last);
  return (
    <div
      class="list"
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-colcount={columns.length}
      tabIndex={0}
      ref={box}
      {...(at >= 0 && { "aria-activedescendant": `row-${at}` })}
    >
      <div class="row head" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <span key={column} role="columnheader">
            {column}
          </span>
        ))}
      </div>
      <div role="rowgroup" class="rows" style={{ height: `${total * rowHeight}px` }}>
        {rows.map((row, offset) => (
          <Line
            key={first + offset}
            place={first + offset}
            top={(first + offset) * rowHeight}
            isOn={first + offset === at}
            {...{ row, columns, cells, onSelect }}
          />
        ))}
      </div>
    </div>
  );
}

interface LineProps<T> extends Pick<VirtualListProps<T>, "columns" | "cells" | "onSelect"> {
  readonly row: T | undefined;
  readonly place: number;
  readonly top: number;
  readonly isOn: boolean;
}

/** One row. It is drawn again only when it changes itself, not whenever other rows become visible. */
class Line<T> extends Component<LineProps<T>> {
  override shouldComponentUpdate(next: LineProps<T>): boolean {
    const { row, place, isOn, cells } = this.props;
    return next.row !== row || next.place !== place || next.isOn !== isOn || next.cells !== cells;
  }

  override render() {
    const { row, place, top, isOn, columns, cells, onSelect } = this.props;
    return (
      <div
        id={`row-${place}`}
        role="row"
        aria-rowindex={place + 2}
        aria-selected={isOn}
        class={isOn ? "row on" : "row"}
        style={{ top: `${top}px` }}
        onClick={() => onSelect(place)}
      >
        {(row === undefined ? columns.map(() => "") : cells(row)).map((cell, column) => (
          <span key={columns[column]} role="gridcell">
            {cell}
          </span>
        ))}
      </div>
    );
  }
}
