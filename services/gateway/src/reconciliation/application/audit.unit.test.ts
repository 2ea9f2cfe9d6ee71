import { TOPICS } from '@bourse/events';
import { describe, expect, test } from '@jest/globals';
import type { AuditFlow, MovedSums } from '@bourse/messaging';
import { passed } from './audit-round.js';
import { ConfirmedDifferences, holdDifferences } from './hold-reconciliation.js';
import { differing } from './trade-reconciliation.js';

test('holds of orders and open orders must agree in both directions, whatever the notation [EDGE-018]', () => {
  const held = [
    { hold: 'order:1', currency: 3, amount: '10.00000000' },
    { hold: 'order:2', currency: 1, amount: '0.5' },
    { hold: 'withdrawal:1', currency: 3, amount: '7' },
    { hold: 'order:4', currency: 3, amount: '0' },
  ];
  expect(
    holdDifferences('order', held, [
      { hold: 'order:1', currency: 3, amount: '10' },
      { hold: 'order:2', currency: 1, amount: '0.5' },
    ]),
  ).toEqual([]);
  expect(
    holdDifferences('order', held, [
      { hold: 'order:1', currency: 3, amount: '9' },
      { hold: 'order:3', currency: 1, amount: '1' },
    ]),
  ).toEqual([
    'order:1 currency 3: 10.00000000 held, 9 needed',
    'order:3 currency 1: 0 held, 1 needed',
    'order:2 currency 1: 0.5 held for nothing that is open',
  ]);
});

test('a reader has passed a writer when it is at or behind each head of the topic, of any consumer [AUDIT-006]', () => {
  const writer = {
    heads: { 'spot.0>ledger.commands/0': 7, 'spot.0>user.events/0': 90 },
    positions: {},
    deadLetters: 0,
  };
  const reader = (number: number): AuditFlow => ({
    heads: {},
    positions: { 'ledger.reference': {}, 'ledger.writer': { 'spot.0>ledger.commands/0': number } },
    deadLetters: 0,
  });
  expect([6, 7, 8].map((number) => passed(writer, reader(number), 'ledger.commands'))).toEqual([false, true, true]);
  expect(
    passed({ ...writer, heads: { ...writer.heads, 'spot.1>ledger.commands/1': 1 } }, reader(8), 'ledger.commands'),
  ).toBe(false);
});

test('blocks differ when one is missing or has other content; their order does not matter [AUDIT-006]', () => {
  const block = (from: number, sides: number, sums: Record<string, string[]>): MovedSums => ({ from, sides, sums });
  const [first, second] = [block(1, 2_000, { 1: ['1'], 3: ['2'] }), block(1_001, 4, { 1: ['5'] })];
  expect(
    differing([first, second], [block(1_001, 4, { 1: ['5'] }), block(1, 2_000, { 3: ['2'], 1: ['1'] })]),
  ).toBeNull();
  expect(differing([first, second], [first])).toBe(1_001);
  expect(differing([first], [first, second])).toBe(1_001);
  expect(differing([first, second], [block(1, 2_000, { 1: ['1'], 3: ['3'] }), second])).toBe(1);
  expect(differing([first], [block(1, 1_999, { 1: ['1'], 3: ['2'] })])).toBe(1);
});

describe('messages in flight between ledger and books [AUDIT-006]', () => {
  // The ledger has sent the order as #5 of its stream; the book's stream to the ledger is at the given number.
  const flows = (read: { readonly book: number; readonly ledger: number }, sent: { readonly release: number }) =>
    ({
      ledger: {
        heads: { 'ledger.0>spot.commands/0': 5 },
        positions: { 'ledger.writer': { 'spot.0>ledger.commands/0': read.ledger } },
      },
      owner: {
        heads: { 'spot.0>ledger.commands/0': sent.release },
        positions: { 'spot.engine': { 'ledger.0>spot.commands/0': read.book } },
      },
    }) as unknown as Parameters<ConfirmedDifferences['add']>[1];
  const held = 'order:1 currency 3: 10 held for nothing that is open';

  test('an order that ended as soon as it was read is no difference, though its hold was seen twice', () => {
    const sights = new ConfirmedDifferences(TOPICS.spotCommands);
    expect(sights.add([held], flows({ book: 4, ledger: 7 }, { release: 7 }))).toEqual([]); // the book has not read it
    // It has, and the release is on its way.
    expect(sights.add([held], flows({ book: 5, ledger: 7 }, { release: 8 }))).toEqual([]);
    expect(sights.add([], flows({ book: 5, ledger: 8 }, { release: 8 }))).toEqual([]);
  });

  test('a hold that stays when both streams have passed is one', () => {
    const sights = new ConfirmedDifferences(TOPICS.spotCommands);
    const quiet = flows({ book: 5, ledger: 8 }, { release: 8 });
    expect([sights.add([held], quiet), sights.add([held], quiet), sights.add([held], quiet)]).toEqual([[], [], [held]]);
  });

  test('an order that was passed on to another partition begins again, and one that stays is a difference', () => {
    // The books have passed it on as #`sent` of a stream of their own, and have read there up to #`read`.
    const passing = (sent: number, read: number): Parameters<ConfirmedDifferences['add']>[1] => {
      const quiet = flows({ book: 5, ledger: 8 }, { release: 8 });
      const { owner } = quiet;
      return {
        ...quiet,
        owner: {
          ...owner,
          heads: { ...owner.heads, 'spot.0>spot.commands/1': sent },
          positions: { 'spot.engine': { ...owner.positions['spot.engine'], 'spot.0>spot.commands/1': read } },
        },
      };
    };
    const sights = new ConfirmedDifferences(TOPICS.spotCommands);
    expect(sights.add([held], passing(1, 1))).toEqual([]);
    expect(sights.add([held], passing(1, 1))).toEqual([]);
    expect(sights.add([held], passing(2, 1))).toEqual([]); // passed on between the reads
    expect(sights.add([held], passing(2, 1))).toEqual([]); // and not read yet
    expect(sights.add([held], passing(2, 2))).toEqual([]);
    expect(sights.add([held], passing(2, 2))).toEqual([held]);
  });

  test('a read before the streams have passed does not count', () => {
    const sights = new ConfirmedDifferences(TOPICS.spotCommands);
    const behind = flows({ book: 4, ledger: 7 }, { release: 8 });
    for (let look = 0; look < 5; look += 1) expect(sights.add([held], behind)).toEqual([]);
  });
});
