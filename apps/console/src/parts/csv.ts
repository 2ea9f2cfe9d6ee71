/** A table as text of the CSV of RFC 4180, with a byte order mark for the programs that need one to see UTF-8. */
export function csvOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `\uFEFF${[head, ...rows].map((cells) => cells.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

/** A plain number, with or without a sign: no program reads it as a formula. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
/** First characters that make a program read a cell as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One cell. An apostrophe marks text that a program might read as a formula: the cells hold what customers
 * wrote.
 */
export function cellOf(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe;
}
