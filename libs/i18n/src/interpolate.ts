/**
 * Puts `params` into the `{{name}}` places of a text. A place without a value stays as it is, so that a missing value
 * is visible.
 */
export function interpolate(text: string, params: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (place, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : place,
  );
}
