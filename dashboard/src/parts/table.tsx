import type { ReactNode } from "react";

type Column = string | { name: string; isNumber?: true; isUnnamed?: true };

/**
 * A table. On a phone each row becomes a card whose cells carry the names of their columns, so that the
 * page never scrolls sideways.
 */
export function Table({ columns, children }: { columns: readonly Column[]; children: ReactNode }) {
  // As custom properties, from where the style sheet takes them; the first cell is the card's title.
  const labels = Object.fromEntries(
    columns.map((column, index) => [`--column-${index + 1}`, JSON.stringify(isUnnamed(column) ? "" : nameOf(column))]),
  );
  return (
    <table className="table" style={labels}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={nameOf(column)} scope="col" className={isNumber(column) ? "number" : undefined}>
              {isUnnamed(column) ? <span className="visually-hidden">{nameOf(column)}</span> : nameOf(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function nameOf(column: Column): string {
  return typeof column === "string" ? column : column.name;
}

function isNumber(column: Column): boolean {
  return typeof column !== "string" && column.isNumber === true;
}

function isUnnamed(column: Column): boolean {
  return typeof column !== "string" && column.isUnnamed === true;
}
