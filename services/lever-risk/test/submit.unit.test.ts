import { expect, test } from '@jest/globals';
import type { Sagas } from '@bourse/ledger-client';
import type { Timers } from '@bourse/persistence';
import { Notice, Refused, type CallContext, type Clock } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import type { SubmitBody } from '../src/application/fields.js';
import type { AccountClaims } from '../src/application/account-claims.js';
import type { LeverMarket, LeverMarkets } from '../src/application/lever-markets.js';
import type { PositionStore } from '../src/application/ports.js';
import { SubmitPosition } from '../src/application/submit.js';
import type { PositionEvents } from '../src/application/position-events.js';
import type { Position } from '../src/domain/position.js';
import { plainCommands } from './plain-commands.js';

const MARKET = {
  pairId: 1,
  quote: 3,
  scales: { priceScale: 2, numberScale: 6, quoteScale: 8 },
  contractLots: 10_000n,
} as LeverMarket;
const BODY = { quoteId: 3, baseId: 1, direction: 'long', kind: 'market', multiple: 20, share: 10 } as SubmitBody;

/** What a call waits for. */
type Wait = 'its account' | 'its transaction';

/** Opens at the market while the price goes from one to the other as the call waits; null: it is stale. */
async function open(wait: Wait, from: bigint, to: bigint | null): Promise<{ inserted: Position[]; left: number }> {
  let price: bigint | null = from;
  let left = 0;
  const inserted: Position[] = [];
  const fresh = (): bigint => {
    if (price === null) throw new Refused('market.stale');
    return price;
  };
  const submitting = new SubmitPosition(
    { define: () => ({ ask: () => new Notice('lever.success') }) } as unknown as Sagas,
    plainCommands((work) => {
      if (wait === 'its transaction') price = to;
      return work({} as never);
    }),
    {
      claim: () => {
        if (wait === 'its account') price = to;
        const commit = (): Promise<void> => Promise.resolve();
        const release = (): Promise<void> => Promise.resolve(void (left += 1));
        return Promise.resolve({ balance: 10n ** 11n, house: 10n ** 15n, positions: [], commit, release });
      },
    } as unknown as AccountClaims,
    { open: () => MARKET, fresh, freshMarks: () => new Map(), worthOf: () => 0n } as unknown as LeverMarkets,
    {
      openNotional: () => Promise.resolve(0n),
      addOpenNotional: () => Promise.resolve(true),
      insert: (_: unknown, position: Position) => Promise.resolve(void inserted.push(position)),
    } as unknown as PositionStore,
    new FixedSettings(),
    {} as Timers,
    {} as PositionEvents,
    { now: () => 1_000 } as Clock,
  );
  await submitting.execute(1, BODY, {} as CallContext).catch((error: unknown) => {
    if (!(error instanceof Refused && error.key === 'market.stale')) throw error;
  });
  return { inserted, left };
}

const WAITS = ['its account', 'its transaction'] as const;

test.each(WAITS)('a position opens at the price after its call waited for %s [LEVER-088] [HARD-403]', async (wait) => {
  const { inserted } = await open(wait, 6_000_000n, 6_100_000n);
  // With the spread of 0.1 %.
  expect(inserted).toMatchObject([{ originPrice: 6_100_000n, price: 6_106_100n }]);
});

test.each(WAITS)('if the price became stale while the call waited for %s, nothing opens [LEVER-088]', async (wait) => {
  expect(await open(wait, 6_000_000n, null)).toEqual({ inserted: [], left: 1 });
});
