import type { NetworkRow } from '@bourse/contract';
import { interpolate, translate } from '@bourse/i18n';
import { trimZeros } from '@bourse/money';

/** Keeps the left-to-right order of a figure inside right-to-left text. */
const isolated = (text: string): string => `\u2066${text}\u2069`;

/**
 * The note to depositors on a network, one sentence per line (rules §15): the operator's text in their language or in
 * English, with `{{amount}}` the least deposit, `{{needed}}` the confirmations, `{{coin}}` and `{{network}}`; without
 * one, the exchange's own text about confirmations, time, and small deposits (rules §8.3).
 */
export function depositNote(network: NetworkRow, coin: string, lang: string): string {
  const { minDeposit, confirmations: needed, type, note } = network;
  const params = { amount: isolated(trimZeros(minDeposit)), needed, coin, network: type };
  const own = note[lang] ?? note['en'];
  if (own !== undefined) return interpolate(own, params);
  const least = /[1-9]/.test(minDeposit) ? 'wallet.noteMinimum' : 'wallet.noteNoMinimum';
  return ['wallet.noteArrival', least].map((key) => translate(lang, key, params)).join('\n');
}
