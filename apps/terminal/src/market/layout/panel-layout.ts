/** Sizes of the deal centre's panels in pixels. They outlive logout. */
export interface PanelLayout {
  readonly book: number;
  readonly ticket: number;
  readonly orders: number;
}
export type PanelName = keyof PanelLayout;

/** Named arrangements (terminal design): the usual one, a large chart, a wide ladder. */
export const PRESETS = {
  standard: { book: 290, ticket: 310, orders: 260 },
  chart: { book: 268, ticket: 270, orders: 160 },
  ladder: { book: 400, ticket: 310, orders: 220 },
} as const satisfies Record<string, PanelLayout>;
export type PresetName = keyof typeof PRESETS;

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

/** Repairs the stored layout: an older or foreign value must not hide a panel. */
export function readLayout(kept: unknown): PanelLayout {
  const given = (typeof kept === 'object' && kept !== null ? kept : {}) as Partial<Record<PanelName, unknown>>;
  const size = (name: PanelName): number => {
    const value = given[name];
    return typeof value === 'number' && Number.isFinite(value) ? clampPanel(name, value) : PRESETS.standard[name];
  };
  return { book: size('book'), ticket: size('ticket'), orders: size('orders') };
}
