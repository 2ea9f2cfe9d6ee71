/** Tiles at the top of the home page (rules §16). */
export const TOP_TILES = 6;

/**
 * The line of a tile: closes of the last 24 hours as an SVG path in a box of `width` × `height`. Closes are picture
 * data, not money: they come as JSON numbers in candlestick bars.
 */
export function sparkline(closes: readonly number[], width: number, height: number): string {
  if (closes.length < 2) return '';
  const low = Math.min(...closes);
  const span = Math.max(...closes) - low || 1;
  const step = width / (closes.length - 1);
  return closes
    .map(
      (close, index) =>
        `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(1)} ` +
        `${(height - ((close - low) / span) * height).toFixed(1)}`,
    )
    .join('');
}
