import type { BookLevel } from '@bourse/realtime';

/** Cumulative depth of both sides on a canvas. Prices and sums become numbers here only to be drawn. */
export function drawDepth(
  canvas: HTMLCanvasElement,
  bids: readonly BookLevel[],
  asks: readonly BookLevel[],
  format: (price: number) => string,
): void {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext('2d');
  if (!context) return;
  const style = getComputedStyle(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const sides = { bids: steps(bids), asks: steps(asks) };
  const low = sides.bids.at(-1)?.price ?? sides.asks[0]?.price;
  const high = sides.asks.at(-1)?.price ?? sides.bids[0]?.price;
  if (low === undefined || high === undefined) return;
  const top = Math.max(sides.bids.at(-1)?.sum ?? 0, sides.asks.at(-1)?.sum ?? 0) * 1.1 || 1;
  const plot = height - 24;
  const x = (price: number): number => (high === low ? width / 2 : ((price - low) / (high - low)) * width);
  const y = (sum: number): number => plot - (sum / top) * plot;
  for (const [points, name] of [
    [sides.bids, '--up'],
    [sides.asks, '--down'],
  ] as const) {
    const first = points[0];
    if (!first) continue;
    const colour = style.getPropertyValue(name).trim();
    context.beginPath();
    context.moveTo(x(first.price), plot);
    let last = 0;
    for (const point of points) {
      context.lineTo(x(point.price), y(last));
      context.lineTo(x(point.price), y(point.sum));
      last = point.sum;
    }
    context.lineTo(name === '--up' ? 0 : width, y(last));
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.stroke();
    context.lineTo(name === '--up' ? 0 : width, plot);
    context.closePath();
    context.globalAlpha = 0.14;
    context.fillStyle = colour;
    context.fill();
    context.globalAlpha = 1;
  }
  context.fillStyle = style.getPropertyValue('--t2').trim();
  context.font = "11px 'Inter Variable', sans-serif";
  context.direction = 'ltr';
  for (const [price, align, at] of [
    [low, 'left', 8],
    [(low + high) / 2, 'center', width / 2],
    [high, 'right', width - 8],
  ] as const) {
    context.textAlign = align;
    context.fillText(format(price), at, height - 8);
  }
}

function steps(levels: readonly BookLevel[]): { price: number; sum: number }[] {
  let sum = 0;
  return levels.map(([price, number]) => ({ price: Number(price), sum: (sum += Number(number)) }));
}
