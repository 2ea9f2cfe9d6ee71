/** A table as text of the CSV of RFC 4180, with a byte order mark for the programs that need one to see UTF-8. */
export function csvOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `\uFEFF${[head, ...rows].map((cells) => cells.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

/** A number, with a sign or without: no program takes it for more. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
/** Beginnings that make a program take a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One cell. An apostrophe marks text that a program might read as a formula: the cells hold what customers
 * wrote.
 */
export function cellOf(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe;
}
