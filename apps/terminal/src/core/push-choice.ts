/** Kinds of messages that a person may choose for a device. */
export const PUSH_GROUPS = ['trades', 'deals', 'account', 'alerts'] as const;
export type PushGroup = (typeof PUSH_GROUPS)[number];

/** The most alerts that the exchange watches for one device. */
const ALERTS_MAX = 50;
/** The page of an alert that was stored without one. */
const MARKET = '/dealCenter';

interface ShownAlert {
  readonly id: string;
  readonly symbol: string;
  readonly price: string;
  readonly above: boolean;
  readonly link: string;
}

/** The stored price alerts of this browser as the exchange takes them: the newest, without invalid ones. */
export function alertsOfDevice(kept: unknown): readonly ShownAlert[] {
  if (!Array.isArray(kept)) return [];
  return kept
    .filter((one: Partial<ShownAlert> | null) => typeof one?.id === 'string' && typeof one.price === 'string')
    .slice(-ALERTS_MAX)
    .map(({ id, symbol, price, above, link }: ShownAlert) => ({ id, symbol, price, above, link: link ?? MARKET }));
}
