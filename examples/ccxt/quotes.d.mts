/** State that a market maker quotes by: the middle of the book, and its balance of the base coin. */
export interface MakerState {
  readonly mid: string;
  readonly held: string;
}
/** `spread` is a part of the price, `0.001` a tenth of a percent; amounts are in the base coin. */
export interface MakerLimits {
  readonly spread: string;
  readonly levels: number;
  readonly size: string;
  readonly target: string;
  readonly most: string;
}
export interface MakerQuote {
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly amount: string;
}
export function quotesOf(state: MakerState, limits: MakerLimits): MakerQuote[];
export function isStale(before: MakerState | undefined, now: MakerState, limits: Pick<MakerLimits, 'spread'>): boolean;
/** Levels of a side are `[price, number]` as decimal text, best first. Undefined: the book is empty. */
export function middleOf(book: {
  readonly bids: readonly (readonly [price: string, number: string])[];
  readonly asks: readonly (readonly [price: string, number: string])[];
}): string | undefined;
