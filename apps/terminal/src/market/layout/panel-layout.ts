import { DESK_COLUMNS, type DeskColumn } from '@bourse/contract';

/** Sizes of a trading screen's panels in pixels. */
interface PanelSizes {
  readonly book: number;
  readonly ticket: number;
  readonly orders: number;
}
/** Arrangement of a trading screen. It outlives logout and follows the account. */
export interface PanelLayout extends PanelSizes {
  /** The columns in the order of reading. */
  readonly columns: readonly DeskColumn[];
  /** The orders lie below chart and book instead of below the chart alone. */
  readonly across: boolean;
}
export type PanelName = keyof PanelSizes;

/** Named arrangements (terminal design): the usual one, a large chart, a wide ladder. */
export const PRESETS = {
  standard: { book: 290, ticket: 310, orders: 260, columns: DESK_COLUMNS, across: false },
  chart: { book: 268, ticket: 270, orders: 160, columns: DESK_COLUMNS, across: false },
  ladder: { book: 400, ticket: 310, orders: 220, columns: DESK_COLUMNS, across: false },
} as const satisfies Record<string, PanelLayout>;
export type PresetName = keyof typeof PRESETS;

/** All orders of the columns. */
export const COLUMN_ORDERS: readonly (readonly DeskColumn[])[] = DESK_COLUMNS.flatMap((first) => {
  const rest = DESK_COLUMNS.filter((column) => column !== first);
  return [
    [first, ...rest],
    [first, ...rest.toReversed()],
  ];
});

const LIMITS: Record<PanelName, { min: number; max: number }> = {
  // Below this an arrow, a price of ten signs, an amount and a sum of eight do not fit beside each other.
  book: { min: 268, max: 460 },
  ticket: { min: 260, max: 440 },
  orders: { min: 120, max: 560 },
};

/** A size that leaves every panel usable. */
export function clampPanel(name: PanelName, size: number): number {
  const { min, max } = LIMITS[name];
  return Math.round(Math.min(max, Math.max(min, size)));
}

export const panelLimits = (name: PanelName): { min: number; max: number } => LIMITS[name];

/** The layout as one text: so it is kept, in the browser and with the account (api §2.1). */
export const layoutText = ({ columns, book, ticket, orders, across }: PanelLayout): string =>
  [...columns, book, ticket, orders, across ? 'across' : 'below'].join(' ');

/** Reads a kept layout, the object of an earlier version too. An invalid part gets its default. */
export function readLayout(kept: unknown): PanelLayout {
  const given = typeof kept === 'string' ? partsOf(kept) : typeof kept === 'object' && kept !== null ? kept : {};
  const parts = given as Partial<Record<keyof PanelLayout, unknown>>;
  const size = (name: PanelName): number => {
    const value = parts[name];
    return typeof value === 'number' && Number.isFinite(value) ? clampPanel(name, value) : PRESETS.standard[name];
  };
  return {
    book: size('book'),
    ticket: size('ticket'),
    orders: size('orders'),
    columns: COLUMN_ORDERS.find((order) => String(order) === String(parts.columns)) ?? DESK_COLUMNS,
    across: parts.across === true,
  };
}

function partsOf(text: string): object {
  const words = text.split(' ');
  const [book, ticket, orders] = words.slice(3, 6).map(Number);
  return { columns: words.slice(0, 3), book, ticket, orders, across: words[6] === 'across' };
}
