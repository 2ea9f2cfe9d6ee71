import type { NetworkRow } from '@bourse/contract';
import { interpolate, translate } from '@bourse/i18n';
import { trimZeros } from '@bourse/money';

/** Keeps a figure in its own order of writing inside a text that is written from right to left. */
const isolated = (text: string): string => `\u2066${text}\u2069`;

/**
 * What depositors are told of a network, a sentence a line (rules §15): the operator's text in their language or in
 * English, with `{{amount}}` the least deposit, `{{needed}}` the confirmations, `{{coin}}` and `{{network}}`; where
 * there is none, the exchange's own words about confirmations, time, and what happens to small deposits (rules §8.3).
 */
export function depositNote(network: NetworkRow, coin: string, lang: string): string {
  const { minDeposit, confirmations: needed, type, note } = network;
  const params = { amount: isolated(trimZeros(minDeposit)), needed, coin, network: type };
  const own = note[lang] ?? note['en'];
  if (own !== undefined) return interpolate(own, params);
  const least = /[1-9]/.test(minDeposit) ? 'wallet.noteMinimum' : 'wallet.noteNoMinimum';
  return ['wallet.noteArrival', least].map((key) => translate(lang, key, params)).join('\n');
}
