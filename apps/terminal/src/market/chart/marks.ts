/** A price that matters to the person: an order, a position, an alert. */
export interface ChartLine {
  /** Stable over changes of the price. */
  readonly id: string;
  /** Decimal text. */
  readonly price: string;
  readonly text: string;
  readonly side: 'buy' | 'sell' | 'alert';
  /** Dotted while it only waits, as a stop before its trigger. */
  readonly stroke?: 'dashed' | 'dotted';
  /** Offers to take it away, at the line; absent where that is not possible. */
  readonly cancel?: { readonly label: string; readonly run: () => void };
  /** The line can be dragged to another price, as a stop; absent where that is not possible. */
  readonly drag?: LineDrag;
}

/** Dragging a line changes nothing by itself: where it is dropped, something asks. */
interface LineDrag {
  /** The label of the handle for assistive technology. */
  readonly label: string;
  /** The consequence of a price, shown beside the pointer. */
  readonly preview: (price: string) => string;
  readonly drop: (price: string) => void;
  /** Opens the same by a press of the handle without a move, or by key; absent where only a drag moves the line. */
  readonly open?: () => void;
}

/** Something that happened at a time, as a fill. */
export interface ChartMarker {
  readonly id: string;
  /** Milliseconds. */
  readonly time: number;
  readonly side: 'buy' | 'sell';
  readonly text: string;
}

/** The drawings of a feature over the candles. */
export interface ChartMarks {
  readonly lines: readonly ChartLine[];
  readonly markers: readonly ChartMarker[];
}

/** A marker as the chart takes it: at the bar it belongs to, several of one side in one bar as one. */
export interface BarMarker {
  /** Milliseconds of the bar. */
  readonly time: number;
  readonly side: 'buy' | 'sell';
  readonly text: string;
}

/**
 * Markers by the bar in which they happened, in time order; what is older than the first bar is left out. Two and more
 * of one side in a bar show how many they are.
 */
export function markersByBar(markers: readonly ChartMarker[], barTimes: readonly number[]): BarMarker[] {
  const groups = new Map<string, { time: number; side: 'buy' | 'sell'; texts: string[] }>();
  for (const { time, side, text } of markers) {
    const bar = barOf(time, barTimes);
    if (bar === undefined) continue;
    const group = groups.get(`${bar} ${side}`) ?? { time: bar, side, texts: [] };
    group.texts.push(text);
    groups.set(`${bar} ${side}`, group);
  }
  return [...groups.values()]
    .sort((a, b) => a.time - b.time || a.side.localeCompare(b.side))
    .map(({ time, side, texts }) => ({ time, side, text: texts.length === 1 ? texts[0]! : `×${texts.length}` }));
}

/** The last bar that began at or before a time, by halving. */
function barOf(time: number, barTimes: readonly number[]): number | undefined {
  let low = 0;
  let high = barTimes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (barTimes[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return barTimes[low - 1];
}

/** The visible range of prices. */
interface PriceRange {
  readonly low: number;
  readonly high: number;
}
/** Lines further from the bars than their height would press them flat. */
const FAR_HEIGHTS = 1;

/** The range of the bars with the person's own lines in it, as far as they are not far away. */
export function rangeWith({ low, high }: PriceRange, prices: readonly number[]): PriceRange {
  const reach = (high - low) * FAR_HEIGHTS;
  const near = prices.filter((price) => price >= low - reach && price <= high + reach);
  return { low: Math.min(low, ...near), high: Math.max(high, ...near) };
}

/** Digits of a price that is set with a pointer: a pixel says no more. */
const POINTER_DIGITS = 5;

/** The price of a pixel in five digits, to the decimals of the pair: 56,443.99 is 56,444. */
export function sensiblePrice(price: number, priceScale: number): string {
  const step = 10 ** Math.max(-priceScale, Math.floor(Math.log10(price)) + 1 - POINTER_DIGITS);
  return (Math.round(price / step) * step).toFixed(priceScale);
}
