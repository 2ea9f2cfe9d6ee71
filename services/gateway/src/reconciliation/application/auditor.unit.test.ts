import { expect, test } from '@jest/globals';
import { READ_VIEW, type AuditCheck, type StreamsRead, type Views } from '@bourse/messaging';
import { Metrics, type Alarms, type Clock } from '@bourse/platform';
import { Auditor } from './auditor.js';
import type { Breakers } from '../../breakers/application/breakers.js';
import { LastRound } from './last-round.js';
import { REACH, type Audit } from './audit.js';
import type { AuditResult, RoundStore } from './round-store.js';

const fine: AuditCheck = { name: 'ledger.sums', ok: true, detail: '' };
const wrong: AuditCheck = { name: 'ledger.sums', ok: false, detail: 'account 7' };
const silent: AuditCheck = { name: REACH, ok: false, detail: 'auth does not answer', soft: true };

const READ: StreamsRead = { lowest: { 'spot>spot.events/0': 7 } };

/** Two gateways over one row. */
function exchange() {
  const world = {
    ...{ real: 1_000_000, checks: [fine], row: null as AuditResult | null, broken: false },
    published: [] as unknown[],
  };
  const clock = { real: () => world.real } as Clock;
  const rounds = {
    write: async (result: AuditResult) => void (world.row = result),
    read: async () => {
      if (world.broken) throw new Error('no line');
      return world.row;
    },
  } as unknown as RoundStore;
  const gateway = () => {
    const metrics = new Metrics();
    const auditor = new Auditor(
      { run: async () => ({ checks: world.checks, own: [], read: READ }) } as unknown as Audit,
      { frozen: null, freeze: async () => undefined } as unknown as Breakers,
      rounds,
      new LastRound(rounds, clock),
      { publish: (...view: unknown[]) => world.published.push(view) } as unknown as Views,
      { raise: () => undefined, clear: () => undefined } as unknown as Alarms,
      clock,
      metrics,
    );
    const shown = async (): Promise<string[]> =>
      (await metrics.registry.metrics()).split('\n').filter((line) => /^bourse_audit_(?!frozen)/.test(line));
    return { auditor, shown };
  };
  return { world, one: gateway(), other: gateway() };
}

test('every gateway reports the last round and its time, whichever gateway ran it [OBSERVE-024]', async () => {
  const { world, one, other } = exchange();
  // Before the first round there is no value.
  expect([...(await one.shown()), ...(await other.shown())]).toEqual([]);
  world.checks = [wrong];
  world.real += 5_000;
  await one.auditor.now();
  const violated = ['bourse_audit_ok 0', 'bourse_audit_check{name="ledger.sums"} 0', 'bourse_audit_age_seconds 0'];
  expect([await one.shown(), await other.shown()]).toEqual([violated, violated]);
  // After a repair, the other one runs the round that finds no fault.
  world.checks = [fine];
  world.real += 5_000;
  await other.auditor.now();
  world.real += 7_000;
  const clean = ['bourse_audit_ok 1', 'bourse_audit_check{name="ledger.sums"} 1', 'bourse_audit_age_seconds 7'];
  expect([await one.shown(), await other.shown()]).toEqual([clean, clean]);
});

test('a round with a missing part is not complete: the age keeps growing [OBSERVE-024]', async () => {
  const { world, one, other } = exchange();
  await one.auditor.now();
  world.checks = [silent];
  for (const { auditor } of [one, other, one]) {
    world.real += 15_000;
    await auditor.now();
  }
  for (const { shown } of [one, other])
    expect(await shown()).toEqual([
      'bourse_audit_ok 1',
      'bourse_audit_check{name="gateway.reach"} 0',
      'bourse_audit_age_seconds 45',
    ]);
  world.checks = [fine];
  await other.auditor.now();
  expect(await one.shown()).toContain('bourse_audit_age_seconds 45'); // within the two seconds of what it has read
  world.real += 2_000;
  expect(await one.shown()).toContain('bourse_audit_age_seconds 2');
});

test('without a complete round, or a readable row, no age is reported instead of 0 [OBSERVE-024]', async () => {
  const { world, one } = exchange();
  world.checks = [silent];
  await one.auditor.now();
  expect(await one.shown()).toEqual(['bourse_audit_ok 1', 'bourse_audit_check{name="gateway.reach"} 0']);
  world.checks = [fine];
  await one.auditor.now();
  expect(await one.shown()).toHaveLength(3);
  world.broken = true;
  world.real += 2_000;
  expect(await one.shown()).toEqual([]);
});

test('each round tells all processes how far consumers have read [LOG-074]', async () => {
  const { world, one } = exchange();
  await one.auditor.now();
  expect(world.published).toEqual([[READ_VIEW, READ, true]]);
});
