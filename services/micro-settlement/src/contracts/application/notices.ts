import type { TypedNotice } from '@bourse/events';
import { formatTrimmed } from '@bourse/money';
import type { Closed } from './ports.js';

/** The personal notice of how a contract has ended. */
export function settledNotice(contract: Closed): TypedNotice {
  const { id, userId, symbol, stake, profits, scale, currencyName } = contract;
  const sign = profits > 0n ? '+' : '';
  return {
    userId,
    id: `micro:${id}:settled`,
    kind: 'microSettled',
    params: {
      symbol,
      amount: `${formatTrimmed(stake, scale)} ${currencyName}`,
      profit: `${sign}${formatTrimmed(profits, scale)} ${currencyName}`,
    },
    link: `/microReceipt?id=${id}`,
    at: contract.handledAt,
  };
}
