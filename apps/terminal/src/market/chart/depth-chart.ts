import { decimals, formatUnits, toUnits } from '@bourse/money';
import type { BookLevel } from '@bourse/realtime';

/** A price and a sum as numbers, only to be drawn: no order takes its figures from here. */
export interface DepthPoint {
  readonly price: number;
  /** Of the levels from the best to this one. */
  readonly sum: number;
}

/**
 * Levels, best first, with the sums that a market order would have to go through. Amounts are added exactly, because
 * the reading shows their sum; each sum becomes a number once.
 */
export function depthPoints(levels: readonly BookLevel[]): DepthPoint[] {
  const scale = Math.max(0, ...levels.map(([, number]) => decimals(number)));
  let units = 0n;
  return levels.map(([price, number]) => {
    units += toUnits(number, scale);
    return { price: Number(price), sum: Number(formatUnits(units, scale)) };
  });
}

/** The amount that rests between the middle and a price, and the distance of that price from the middle in percent. */
export interface DepthReading {
  readonly side: 'bids' | 'asks';
  readonly price: number;
  readonly sum: number;
  readonly percent: number;
}

/** The reading at a price; undefined where one side is empty. */
export function readDepth(
  bids: readonly DepthPoint[],
  asks: readonly DepthPoint[],
  price: number,
): DepthReading | undefined {
  const [bid, ask] = [bids[0], asks[0]];
  if (!bid || !ask) return undefined;
  const middle = (bid.price + ask.price) / 2;
  const side = price <= middle ? 'bids' : 'asks';
  const reached = (side === 'bids' ? bids : asks).filter((point) =>
    side === 'bids' ? point.price >= price : point.price <= price,
  );
  return { side, price, sum: reached.at(-1)?.sum ?? 0, percent: (100 * (price - middle)) / middle };
}

/** Round figures above 0 up to `most`, about `count` of them. */
export function axisTicks(most: number, count: number): number[] {
  if (!(most > 0)) return [];
  const raw = most / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((one) => one * power >= raw) ?? 10) * power;
  return Array.from({ length: Math.floor(most / step) }, (_, at) => (at + 1) * step);
}

const AXIS_PX = 24;
const TICK_EVERY_PX = 60;
const BOX_PX = { width: 168, line: 16, pad: 8 } as const;

/** Cumulative depth of both sides on a canvas, with its axes and the reading under the pointer. */
export function drawDepth(
  canvas: HTMLCanvasElement,
  levels: { readonly bids: readonly BookLevel[]; readonly asks: readonly BookLevel[] },
  texts: { readonly price: (price: number) => string; readonly sum: (sum: number) => string; readonly depth: string },
  pointerX: number | undefined,
): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext('2d');
  if (!context) return;
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const bids = depthPoints(levels.bids);
  const asks = depthPoints(levels.asks);
  const low = bids.at(-1)?.price ?? asks[0]?.price;
  const high = asks.at(-1)?.price ?? bids[0]?.price;
  if (low === undefined || high === undefined) return;
  const top = Math.max(bids.at(-1)?.sum ?? 0, asks.at(-1)?.sum ?? 0) * 1.1 || 1;
  const plot = height - AXIS_PX;
  const x = (price: number): number => (high === low ? width / 2 : ((price - low) / (high - low)) * width);
  const y = (sum: number): number => plot - (sum / top) * plot;
  context.font = "11px 'Inter Variable', sans-serif";
  context.direction = 'ltr';
  context.strokeStyle = colour('--line');
  const ticks = axisTicks(top, Math.max(2, plot / TICK_EVERY_PX));
  for (const tick of ticks) drawLine(context, 0, y(tick), width, y(tick));
  for (const [points, name, edge] of [
    [bids, '--up', 0],
    [asks, '--down', width],
  ] as const) {
    const first = points[0];
    if (!first) continue;
    context.beginPath();
    context.moveTo(x(first.price), plot);
    let last = 0;
    for (const point of points) {
      context.lineTo(x(point.price), y(last));
      context.lineTo(x(point.price), y(point.sum));
      last = point.sum;
    }
    context.lineTo(edge, y(last));
    context.strokeStyle = context.fillStyle = colour(name);
    context.lineWidth = 2;
    context.stroke();
    context.lineTo(edge, plot);
    context.closePath();
    context.globalAlpha = 0.14;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1;
  }
  context.fillStyle = colour('--t2');
  context.textAlign = 'right';
  for (const tick of ticks) context.fillText(texts.sum(tick), width - 8, y(tick) - 4);
  for (const [price, align, at] of [
    [low, 'left', 8],
    [(low + high) / 2, 'center', width / 2],
    [high, 'right', width - 8],
  ] as const) {
    context.textAlign = align;
    context.fillText(texts.price(price), at, height - 8);
  }
  const reading = pointerX === undefined ? undefined : readDepth(bids, asks, low + (pointerX / width) * (high - low));
  if (!reading || pointerX === undefined) return;
  context.strokeStyle = colour('--t2');
  context.setLineDash([4, 4]);
  drawLine(context, pointerX, 0, pointerX, plot);
  drawLine(context, 0, y(reading.sum), width, y(reading.sum));
  context.setLineDash([]);
  const lines = [
    `${texts.price(reading.price)}  ${reading.percent > 0 ? '+' : ''}${reading.percent.toFixed(2)}%`,
    `${texts.depth} ${texts.sum(reading.sum)}`,
  ];
  const left = pointerX + BOX_PX.width + BOX_PX.pad > width ? pointerX - BOX_PX.width - BOX_PX.pad : pointerX + 8;
  context.fillStyle = colour('--bg3');
  context.fillRect(left, BOX_PX.pad, BOX_PX.width, BOX_PX.line * lines.length + BOX_PX.pad);
  context.fillStyle = colour('--t1');
  context.textAlign = 'left';
  for (const [at, text] of lines.entries())
    context.fillText(text, left + BOX_PX.pad, BOX_PX.pad + BOX_PX.line * (at + 1), BOX_PX.width - 2 * BOX_PX.pad);
}

function drawLine(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath();
  context.moveTo(x1, Math.round(y1) + 0.5);
  context.lineTo(x2, Math.round(y2) + 0.5);
  context.stroke();
}
