export type CsvValues = readonly (string | number)[];

/** A file of CSV in pieces: the names of the columns, and then the rows. */
export async function* csvFile(
  columns: readonly string[],
  pieces: AsyncIterable<readonly CsvValues[]>,
): AsyncGenerator<string> {
  yield csvRow(columns);
  for await (const rows of pieces) yield rows.map(csvRow).join('');
}

/**
 * A row of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front: names and
 * reasons come from people.
 */
export function csvRow(values: CsvValues): string {
  return `${values.map((value) => field(String(value))).join(',')}\n`;
}

function field(text: string): string {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
