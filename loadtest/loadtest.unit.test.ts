import { describe, expect, test } from '@jest/globals';
import { Latencies, numberAfter } from './lib/latencies.mjs';
import { lotsWorth, ticksOf } from './lib/markets.mjs';
import { compareNotes, readNotes, refusals, since } from './lib/notes.mjs';
import { readPss, readStat } from './lib/proc.mjs';
import { difference, round, row, table } from './lib/results.mjs';

const placed = (
  name: string,
  id: string,
  open = true,
  reason = '',
): { name: string; id: string; open: boolean; reason: string } => ({ name, id, open, reason });

/** The state of an exchange that agrees with its answers. */
const DONE = {
  orders: [placed('a', '11', false, 'user')],
  transfers: ['71'],
  positions: [placed('p', '31', false)],
  contracts: ['51'],
  ads: ['5'],
  deals: [{ id: '61', finished: true }],
};
const had = (found: Partial<typeof DONE>): typeof DONE => ({ ...DONE, ...found });

describe('the log of the generator', () => {
  const notes = readNotes(
    'order a ok 11\norder b refused:balance.insufficient -\norder c unknown -\n' +
      'cancel 11 ok\ntransfer 3 ok 71\ntransfer 4 unknown -\n' +
      'position p ok 31\nclose 31 ok\nposition q unknown -\ncontract 3 ok 51\ncontract 4 refused:micro.houseLimit -\n' +
      'ad 3 ok 5\ndeal 4 ok 61\nrelease 61 ok\ndeal 3 refused:c2c.openDeal -\n',
  );

  test('is read line by line; a line that is none stops the reading', () => {
    expect([...notes.orders.keys()]).toEqual(['a', 'b', 'c']);
    expect(refusals(notes)).toEqual({ 'balance.insufficient': 1, 'micro.houseLimit': 1, 'c2c.openDeal': 1 });
    expect(() => readNotes('order a ok 11\norder a ok 12\n')).toThrow('twice');
    expect(() => readNotes('order a')).toThrow('not a note');
  });

  test('agrees with a correct exchange, whatever the outcome of open commands', () => {
    expect(compareNotes(notes, had({}))).toEqual({ wrong: [], happened: 0 });
    const orders = [placed('a', '11', false, 'user'), placed('c', '12')];
    expect(compareNotes(notes, had({ orders, transfers: ['71', '72'] }))).toEqual({
      wrong: [],
      happened: 1,
    });
  });

  test.each([
    [
      'an accepted order that is lost',
      { orders: [] },
      ['a was accepted as 11 and is lost', '11 was cancelled and is lost'],
    ],
    [
      'an order that exists twice',
      { orders: [...DONE.orders, placed('a', '19', false, 'user')] },
      ['a exists twice: 11 and 19', 'a was accepted as 11 and is 19'],
    ],
    [
      'a refused order that exists',
      { orders: [...DONE.orders, placed('b', '12')] },
      ['b was refused (refused:balance.insufficient) and exists as 12'],
    ],
    ['an order nobody sent', { orders: [...DONE.orders, placed('z', '99')] }, ['order 99 (z) was never sent']],
    ['a cancelled order that is open', { orders: [placed('a', '11')] }, ['11 was cancelled and is open (filled)']],
    ['a transfer that is lost', { transfers: [] }, ['transfer 71 was accepted and is lost']],
    [
      'transfers nobody asked for',
      { transfers: ['71', '72', '73'] },
      ['2 transfers were never accepted, only 1 were left open'],
    ],
    [
      'a position that is lost',
      { positions: [] },
      ['p was accepted as 31 and is lost', 'position 31 was closed and is lost'],
    ],
    ['a closed position that is open', { positions: [placed('p', '31')] }, ['position 31 was closed and is open']],
    ['an ad that is lost', { ads: [] }, ['ad 5 was accepted and is lost']],
    [
      'a released deal that is not finished',
      { deals: [{ id: '61', finished: false }] },
      ['deal 61 was released and is not finished'],
    ],
    [
      'a deal that nobody took',
      { deals: [...DONE.deals, { id: '62', finished: false }] },
      ['1 deals were never accepted, only 0 were left open'],
    ],
    ['a contract that is lost', { contracts: [] }, ['contract 51 was accepted and is lost']],
    [
      'a contract that exists twice, and one that was refused',
      { contracts: ['51', '51', '52'] },
      ['a contract exists twice', '1 contracts were never accepted, only 0 were left open'],
    ],
  ])('finds %s', (_, found, wrong) => {
    expect(compareNotes(notes, had(found)).wrong).toEqual(wrong);
  });
});

describe('leftovers of an earlier run on the install', () => {
  const earlier = had({ orders: [placed('old', '1')], transfers: ['2'], deals: [] });

  test('is not part of this one [LOAD-002]', () => {
    const now = had({ orders: [placed('old', '1', false, 'user'), ...DONE.orders], transfers: ['2', '71'] });
    expect(since(earlier, now)).toMatchObject({ orders: DONE.orders, transfers: ['71'], deals: DONE.deals });
  });

  test('hides no object that was never sent, and no duplicate [LOAD-002]', () => {
    const twice = [placed('a', '11'), placed('a', '12'), placed('z', '99')];
    expect(since(earlier, had({ orders: [placed('old', '1'), ...twice] }))['orders']).toEqual(twice);
  });
});

describe('figures of processes', () => {
  test('CPU seconds are read behind a name that holds brackets and blanks', () => {
    expect(readStat('42 (a (b) c) S 7 42 42 0 -1 4194304 1 2 3 4 150 50 25 75 20 0 11 0 1 2 3')).toEqual({
      ppid: 7,
      own: 2,
      ended: 1,
    });
  });

  test('memory is the proportional share', () => {
    expect(readPss('Rss:  4096 kB\nPss:  2048 kB\nPss_Anon: 1024 kB\n')).toBe(2);
    expect(readPss('')).toBe(0);
  });

  test('usage between two readings, by part, also of a new part', () => {
    expect(difference({ exchange: 5, postgres: 3 }, { exchange: 2 })).toEqual({ exchange: 3, postgres: 3 });
  });
});

describe('rows of a result', () => {
  test('say whether the goal was met, in both directions', () => {
    expect(row('orders', 2100, '/s', { goal: 2000 })).toMatchObject({ goal: '≥ 2000', met: true });
    expect(row('p99', 60, 'ms', { goal: 50, atMost: true })).toMatchObject({ goal: '≤ 50', met: false });
    expect(table([row('p99', 60, 'ms', { goal: 50, atMost: true })])).toContain('| p99 | 60 ms | ≤ 50 ✗ |  |');
  });

  test('keep three digits', () => {
    expect([12345.6, 123.45, 12.345, 0.12345, 0].map(round)).toEqual([12346, 123, 12.3, 0.123, 0]);
  });
});

describe('sizes of test orders', () => {
  test('a price in ticks of its scale', () => {
    expect(ticksOf('56670.02', 2)).toBe(5_667_002);
    expect(ticksOf('377.80', 4)).toBe(3_778_000);
    expect(ticksOf('0.00002609', 8)).toBe(2_609);
  });

  test('lots of about the requested value, at least one', () => {
    expect(lotsWorth(60, '56670.02', 6)).toBe(1_059);
    expect(lotsWorth(60, '0.49353', 4)).toBe(1_215_732);
    expect(lotsWorth(0.001, '56670.02', 4)).toBe(1);
  });
});

describe('times of messages', () => {
  test('give exact percentiles, of none too', () => {
    const latencies = new Latencies();
    expect(latencies.summary()).toEqual({ count: 0, p50: null, p95: null, p99: null, max: null });
    for (let ms = 1; ms <= 100; ms += 1) latencies.add(ms);
    latencies.add(1e9);
    expect(latencies.summary()).toEqual({ count: 101, p50: 51, p95: 96, p99: 100, max: 60_000 });
  });

  test('a number is found behind its whole name', () => {
    const text = '42["match_trade",{"symbol":"BTC/USDT","ts":1795264282000,"prev_seq":41,"seq":42}]';
    expect(numberAfter(text, '"ts":')).toBe(1_795_264_282_000);
    expect(numberAfter(text, '"seq":')).toBe(42);
    expect(numberAfter(text, '"none":')).toBeNaN();
  });
});
