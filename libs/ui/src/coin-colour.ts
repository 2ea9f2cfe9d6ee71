/** A stable index below `count` for a name. */
export function placeOf(name: string, count: number): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  return sum % count;
}
