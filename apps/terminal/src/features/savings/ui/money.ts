import { atMost, grouped } from '@bourse/ui';

/** An amount of a coin outside of a sentence. */
export const money = (text: string, coin: string): string => `${grouped(atMost(text, 8))} ${coin}`;
/** An amount inside a sentence: left to right in every language. */
export const moneyInLine = (text: string, coin: string): string => `\u2066${money(text, coin)}\u2069`;
/** A rate of the catalog, in percent. */
export const rateText = (text: string): string => `${atMost(text, 6)} %`;
/** A midnight of UTC as its date: the same for everybody, wherever they read it. */
export const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);
