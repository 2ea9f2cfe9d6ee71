import { expect, test } from '@jest/globals';
import { FundGate, type OwnUploads } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import type { Clock } from '@bourse/platform';
import { DealActs } from '../src/application/deal-acts.js';
import { SellerSilence } from '../src/application/deal-log.js';
import type { AdStore, DealStore } from '../src/application/deal-ports.js';
import { DealTidings, type DealPushes } from '../src/application/deal-tidings.js';
import type { DealViews } from '../src/application/deal-views.js';
import type { Escrow } from '../src/application/escrow.js';
import type { PlainCalls } from '../src/application/plain-calls.js';
import { contextOf, keyOf } from './shop-world.js';

/** Rows in the order in which a call has locked them. */
const rows: string[] = [];
class Noted extends SellerSilence {
  watch(): Promise<void> {
    return Promise.resolve();
  }
  end(): Promise<void> {
    rows.push('deadline');
    return Promise.resolve();
  }
}
const deals = {
  lock: () => {
    rows.push('deal');
    return Promise.resolve(null);
  },
} as unknown as DealStore;
const escrow = {
  releaseFor: async (_context: object, prepare: () => Promise<(tx: Tx) => Promise<object>>) =>
    (await prepare())({} as Tx),
} as unknown as Escrow;

test('a confirmation locks the seller’s deadline before the deal, as the deadline does [C2C-019]', async () => {
  const tidings = new DealTidings({} as DealPushes, undefined, new Noted());
  const fund = new FundGate(() => Promise.resolve({ ok: true }));
  const acts = new DealActs(
    ...([{} as AdStore, deals, escrow, {} as PlainCalls, fund, {} as OwnUploads, tidings] as const),
    ...([{} as DealViews, {} as Clock] as const),
  );
  const act = { userId: 1, dealId: '7', password: 'fund66' };
  expect(await keyOf(acts.confirm(act, 'sell', contextOf()))).toBe('common.notFound');
  expect(rows).toEqual(['deadline', 'deal']);
});
