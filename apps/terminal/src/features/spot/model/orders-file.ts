/** Which own rows a file has. */
export type OrdersFileKind = 'orders' | 'trades';

/** Name of a file: its kind, its pair if it has one alone, and the day. */
export const fileName = (kind: OrdersFileKind, symbol: string | undefined, today: string): string =>
  `${[kind, symbol?.replace('/', '-'), today].filter(Boolean).join('-')}.csv`;
