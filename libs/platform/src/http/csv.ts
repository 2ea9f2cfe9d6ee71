/**
 * A row of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front: names and
 * reasons come from people.
 */
export function csvRow(values: readonly (string | number)[]): string {
  return `${values.map((value) => field(String(value))).join(',')}\n`;
}

function field(text: string): string {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
