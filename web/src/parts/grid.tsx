import {
  type CellContext,
  createSortedRowModel,
  rowSortingFeature,
  sortFns,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useMemo, useRef } from "react";

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns });

export interface GridColumn<T> {
  name: string;
  label: string;
  value: (row: T) => string | number | boolean | null;
  show?: (row: T) => ReactNode;
  width: string;
  right?: boolean;
  /** Its text wraps, or its parts are one below the other. */
  layout?: "long" | "jobs" | "";
}

interface Props<T> {
  label: string;
  columns: GridColumn<T>[];
  rows: T[];
  empty: string;
}

type Value = string | number | boolean | null;

/** A table that sorts by its headers and draws the rows in sight. */
export function Grid<T extends object>({ label, columns, rows, empty }: Props<T>) {
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.name,
        header: column.label,
        accessorFn: column.value,
        sortUndefined: "last" as const,
        sortFn: (a: { getValue: (name: string) => unknown }, b: { getValue: (name: string) => unknown }, name: string) =>
          compare(a.getValue(name) as Value, b.getValue(name) as Value),
        cell: ({ row }: CellContext<typeof features, T, Value>) =>
          column.show ? column.show(row.original) : String(column.value(row.original) ?? ""),
      })),
    [columns],
  );
  const table = useTable({ features, columns: definitions as never, data: rows }, (state) => ({ sorting: state.sorting }));
  const sorted = table.getRowModel().rows;
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 32,
    overscan: 16,
  });
  const template = columns.map((column) => column.width).join(" ");
  const visible = virtual.getVirtualItems();
  return (
    <div className="grid" ref={scroll} role="table" aria-label={label} aria-rowcount={rows.length + 1} tabIndex={0}>
      <div className="grid-head" role="row" style={{ gridTemplateColumns: template }}>
        {table.getHeaderGroups()[0].headers.map((header, place) => {
          const direction = header.column.getIsSorted();
          return (
            <div
              key={header.id}
              role="columnheader"
              aria-sort={direction === "asc" ? "ascending" : direction === "desc" ? "descending" : "none"}
              className={columns[place].right ? "right" : ""}
            >
              <button type="button" onClick={header.column.getToggleSortingHandler()}>
                {columns[place].label}
                <span aria-hidden="true">{direction === "asc" ? " ↑" : direction === "desc" ? " ↓" : ""}</span>
              </button>
            </div>
          );
        })}
      </div>
      {rows.length === 0 ? (
        <p className="none">{empty}</p>
      ) : (
        <div className="grid-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {visible.map((item) => (
            <div
              key={sorted[item.index].id}
              role="row"
              aria-rowindex={item.index + 2}
              data-index={item.index}
              ref={virtual.measureElement}
              className="grid-row"
              style={{ gridTemplateColumns: template, transform: `translateY(${item.start}px)` }}
            >
              {sorted[item.index].getAllCells().map((cell, place) => (
                <div key={cell.id} role="cell" className={columns[place].right ? "right" : (columns[place].layout ?? "")}>
                  <table.FlexRender cell={cell} />
                </div>
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** Nothing comes last whatever the direction is; numbers by size, all else by its text. */
function compare(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}
