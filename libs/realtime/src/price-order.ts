/**
 * Compares two non-negative decimal texts exactly, without making numbers of them: book prices arrive a thousand times
 * a second and two texts of the same price are the same text (no trailing zeros, api §4).
 */
export function comparePrices(a: string, b: string): number {
  if (a === b) return 0;
  const pointA = wholeLength(a);
  const pointB = wholeLength(b);
  if (pointA !== pointB) return pointA - pointB;
  // Whole parts of one length: the order of the texts is the order of the numbers, also behind the point.
  return a < b ? -1 : 1;
}

const wholeLength = (text: string): number => {
  const point = text.indexOf('.');
  return point < 0 ? text.length : point;
};
