import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Asks, AuditFlow, ServiceDescription } from '@bourse/messaging';
import { Alarms } from '@bourse/platform';
import type { Descriptions } from '../../shared/application/descriptions.js';
import type { MarketViews } from '../../shared/application/market-views.js';
import { Audit } from './audit.js';

const FLOW = { heads: {}, positions: {}, deadLetters: 0 };
const LEDGER = 'wallet-ledger';

describe('a service that cannot be reached [AUDIT-028]', () => {
  let answers: Record<string, unknown>;
  let audit: Audit;
  let raised: string[];
  let described: ServiceDescription[];
  beforeEach(() => {
    described = [
      { service: LEDGER, audits: true },
      { service: 'points', audits: true },
    ];
    answers = {
      [`${LEDGER}.audit`]: { checks: [{ name: 'overdraft', ok: false, detail: '100001/change/3 has -1' }], flow: FLOW },
      'points.audit': { checks: [{ name: 'paid', ok: true, detail: 'fine' }], flow: FLOW },
    };
    const asks = {
      ask: ({ name }: { name: string }) =>
        name in answers ? Promise.resolve(answers[name]) : Promise.reject(new Error('nobody is there')),
    } as unknown as Asks;
    const descriptions = {
      all: () => described,
      missing: () => [],
      makers: () => [],
      holdKeeper: () => undefined,
      audited: () => [LEDGER, 'points'],
      traders: () => undefined,
    } as unknown as Descriptions;
    raised = [];
    audit = new Audit(asks, new Alarms(), { names: () => raised }, {} as MarketViews, descriptions);
  });

  test('hides no violation that another one found', async () => {
    delete answers['points.audit'];
    const { checks } = await audit.run();
    expect(checks.filter(({ ok }) => !ok)).toEqual([
      { name: `${LEDGER}.overdraft`, ok: false, detail: '100001/change/3 has -1' },
      expect.objectContaining({ name: 'gateway.reach', soft: true, detail: expect.stringContaining('points') }),
    ]);
  });

  test('or tells no positions, or a stopped stream, leaves unknown how far consumers have read [LOG-074]', async () => {
    const flowOf = (positions: AuditFlow['positions']) => ({ checks: [], flow: { ...FLOW, positions } });
    const [stream, other] = ['spot>spot.events/0', 'spot>reference/0'];
    answers[`${LEDGER}.audit`] = flowOf({ 'ledger.writer': { [stream]: 7 }, 'ledger.reference': { [other]: 2 } });
    answers['points.audit'] = flowOf({ 'points.trades': { [stream]: 5 } });
    expect((await audit.run()).read).toEqual({ lowest: { [stream]: 5, [other]: 2 } });
    raised.push(`stream:points.trades:${stream}`);
    expect((await audit.run()).read).toEqual({ lowest: null });
    raised.length = 0;
    described.push({ service: 'auth' });
    expect((await audit.run()).read).toEqual({ lowest: null });
    described.pop();
    delete answers['points.audit'];
    expect((await audit.run()).read).toEqual({ lowest: null });
  });

  test('makes a soft finding also when joining fails; when all answer, nothing is unreached', async () => {
    const { checks, own } = await audit.run();
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining([`${LEDGER}.overdraft`, 'points.paid']));
    expect(own.map(({ name }) => name)).not.toContain('gateway.reach');
  });
});
