import { afterEach, expect, jest, test } from '@jest/globals';
import type { Caller } from '@bourse/platform';
import type { Auditor } from '../../reconciliation/application/auditor.js';
import type { Breakers } from '../../breakers/application/breakers.js';
import type { MarketMoves } from '../../breakers/application/market-moves.js';
import type { AuditResult } from '../../reconciliation/application/round-store.js';
import { AdminController } from './admin.controller.js';
import type { BreakerBody } from './fields.js';
import type { OpenApiOfAll } from '../../edge/http/open-api.js';

afterEach(() => {
  jest.restoreAllMocks();
});

const round = (ok: boolean): AuditResult => ({
  checkedAt: 0,
  checks: [{ name: 'wallet-ledger.sums', ok, detail: '' }],
});
const open = { scope: 'withdraw', mode: 'normal', reason: 'seen' } as unknown as BreakerBody;
const caller = { userId: 1, accountNumber: 'operator' } as unknown as Caller;

function desk({ frozen, latest, now }: { frozen: boolean; latest: AuditResult; now: () => Promise<AuditResult> }) {
  const set: string[] = [];
  const lifted: (string | undefined)[] = [];
  let freeze = frozen ? { version: '1' } : null;
  const breakers = {
    readFreeze: () => Promise.resolve(freeze),
    set: (scope: string, _mode: string, _who: object, seen: typeof freeze) => {
      lifted.push(seen?.version);
      return Promise.resolve(void set.push(scope));
    },
  };
  const auditor = { latest: () => Promise.resolve(latest), now };
  const controller = new AdminController(
    auditor as unknown as Auditor,
    breakers as unknown as Breakers,
    {} as MarketMoves,
    {} as OpenApiOfAll,
  );
  return {
    set,
    lifted,
    freezeAs: (version: string) => (freeze = { version }),
    opens: () => controller.breaker(open, caller),
  };
}
const never = (): Promise<AuditResult> => new Promise(() => undefined);

test('a scope that is not frozen opens by the last round, without waiting for one [AUDIT-012]', async () => {
  const { set, opens } = desk({ frozen: false, latest: round(true), now: never });
  await opens();
  expect(set).toEqual(['withdraw']);
});

test('it stays closed while the last round is wrong [AUDIT-012]', async () => {
  const { set, opens } = desk({ frozen: false, latest: round(false), now: never });
  await expect(opens()).rejects.toMatchObject({ key: 'admin.stillWrong' });
  expect(set).toEqual([]);
});

test('after a freeze only a newly started round counts [AUDIT-012]', async () => {
  const clean = desk({ frozen: true, latest: round(false), now: () => Promise.resolve(round(true)) });
  await clean.opens();
  expect(clean.set).toEqual(['withdraw']);
  const wrong = desk({ frozen: true, latest: round(true), now: () => Promise.resolve(round(false)) });
  await expect(wrong.opens()).rejects.toMatchObject({ key: 'admin.stillWrong' });
  expect(wrong.set).toEqual([]);
});

test.each([false, true])(
  'a freeze that is committed during the round is not the one to lift [AUDIT-032]',
  async (frozen) => {
    const { lifted, freezeAs, opens } = desk({
      frozen,
      latest: round(true),
      now: () => {
        freezeAs('2');
        return Promise.resolve(round(true));
      },
    });
    await opens();
    expect(lifted).toEqual([frozen ? '1' : undefined]);
  },
);

test('a round that outlasts the call opens nothing: its caller was answered so [AUDIT-012]', async () => {
  const times = [0, 25_001];
  jest.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 25_001);
  const { set, opens } = desk({ frozen: true, latest: round(true), now: () => Promise.resolve(round(true)) });
  await expect(opens()).rejects.toMatchObject({ key: 'common.unavailable' });
  expect(set).toEqual([]);
});
