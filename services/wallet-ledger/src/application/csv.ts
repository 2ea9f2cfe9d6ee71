/** A line of CSV (RFC 4180); what a spreadsheet would take for a formula is written as text. */
export const csvLine = (fields: readonly (string | number)[]): string => `${fields.map(csvField).join(',')}\n`;

function csvField(value: string | number): string {
  const text = /^[=+@\t\r]/.test(String(value)) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
