/**
 * The colour of a design token, as a canvas needs it. Tokens are six-digit hex, so that an alpha can follow them.
 */
export function token(name: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const other = /^var\((--[\w-]+)\)$/.exec(value);
  return other ? token(other[1]!) : value;
}
