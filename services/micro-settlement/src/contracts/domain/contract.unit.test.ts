import { describe, expect, test } from '@jest/globals';
import { percent } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import fc from 'fast-check';
import { judgementOf, microFee, openingOf, payoutOf, reserveOf, vaultChange, type Contract } from './contract.js';
import { chainStep, knownThrough, LATE_MS, type Tick, type TickHead } from '../../ticks/domain/tick.js';

const SCALE = 8;
const AT = Date.UTC(2026, 10, 22, 12, 0, 0);
const tick = (id: number, time: number, price: string, symbol = 'BTC/USDT', at: number | null = time): Tick => ({
  symbol,
  id: BigInt(id),
  time,
  price,
  at,
  prevHash: `hash ${id - 1}`,
  hash: `hash ${id}`,
});
const money = (text: string): bigint => toUnits(text, SCALE);
const agreement = { stake: money('100'), ratio: percent('50'), fee: microFee(money('100'), 200_000n) };
const running = (
  direction: 'up' | 'down',
): Pick<Contract, 'direction' | 'stake' | 'ratio' | 'priceScale' | 'openPrice' | 'expireTime'> => ({
  ...agreement,
  direction,
  priceScale: 2,
  openPrice: '60000',
  expireTime: AT + 60_000,
});
const last = (...prices: string[]): Tick[] =>
  prices.map((price, at) => tick(100 + at, AT + 60_000 - (prices.length - 1 - at) * 1_000, price));
const judge = (direction: 'up' | 'down', ticks: readonly Tick[]) => {
  const judgement = judgementOf(running(direction), ticks, AT + 60_000);
  if (!judgement) throw new Error('not judged');
  return judgement;
};

describe('the worked example of rules §4 [MICRO-001]', () => {
  const FIVE = last('60010', '60012.5', '60011', '60009', '60013');
  test('stake 100 at 50 %, fee 0.2 %: up gains 50, down loses', () => {
    expect(agreement.fee).toBe(money('0.2'));
    expect(reserveOf(agreement)).toBe(money('50'));
    expect(judge('up', FIVE)).toMatchObject({ result: 'win', endPrice: '60011', profits: money('50') });
    expect(judge('down', FIVE)).toMatchObject({ result: 'loss', endPrice: '60011', profits: money('-100') });
    expect(payoutOf(agreement, 'win') - agreement.stake - agreement.fee).toBe(money('49.80'));
    expect(payoutOf(agreement, 'loss') - agreement.stake - agreement.fee).toBe(money('-100.20'));
  });
  test('an equal end is a tie and keeps the fee; two ticks are void and return it', () => {
    expect(judge('up', last(...Array<string>(5).fill('60000')))).toMatchObject({ result: 'tie', profits: 0n });
    expect(payoutOf(agreement, 'tie') - agreement.stake - agreement.fee).toBe(money('-0.20'));
    expect(judge('up', last('60010', '60011'))).toMatchObject({ result: 'void', endPrice: null, profits: 0n });
    expect(payoutOf(agreement, 'void') - agreement.stake - agreement.fee).toBe(0n);
  });
  test('four ticks: of the middle two the later id', () => {
    expect(judge('up', last('60010', '60012', '60011', '60013'))).toMatchObject({ endPrice: '60011' });
  });
  test('a vault equals the sum of its contracts', () => {
    expect(vaultChange(agreement, 'win')).toBe(money('50'));
    expect(vaultChange(agreement, 'loss')).toBe(money('-100'));
    expect(vaultChange(agreement, 'tie')).toBe(0n);
    expect(vaultChange(agreement, 'void')).toBe(money('0.2'));
  });
});

describe('the ticks that judge [HARD-480]', () => {
  const at = (id: number, seconds: number, given: number, price: string): Tick =>
    tick(id, AT + seconds * 1_000, price, 'BTC/USDT', AT + given * 1_000);
  test('a price that is repeated under the same time counts once: a silent source makes the contract void', () => {
    const silent = [at(1, 56, 56, '1'), at(2, 57, 57, '2'), at(3, 58, 57, '2'), at(4, 59, 57, '9'), at(5, 60, 57, '9')];
    expect(judge('up', silent)).toMatchObject({ result: 'void', ticks: [silent[0], silent[1]] });
  });
  test('prices that arrive 3 s late count by the time at which they were given', () => {
    const late = [56, 57, 58, 59, 60].map((second, place) => at(place, second, second - 3, '70000'));
    expect(judge('up', late)).toMatchObject({ result: 'void', ticks: late.slice(3) });
  });
  test('a price that arrives late with an earlier time does not replace the first', () => {
    const ticks = [at(1, 57, 57, '60010'), at(2, 58, 58, '60011'), at(3, 59, 59, '60012'), at(4, 60, 59, '1')];
    expect(judge('up', ticks)).toMatchObject({ endPrice: '60011', result: 'win' });
  });
});

describe('opening [MICRO-002]', () => {
  const accepted = AT + 300;
  test('the first tick later than the acceptance opens it; one of the same moment does not', () => {
    const ticks = [tick(1, AT, '1'), tick(2, AT + 1_000, '2'), tick(3, AT + 2_000, '3')];
    expect(openingOf(accepted, ticks, AT + 2_000)).toMatchObject({ id: 2n });
    expect(openingOf(AT + 1_000, ticks, AT + 2_000)).toMatchObject({ id: 3n });
  });
  test('a price that was given before the acceptance and is recorded after it opens nothing [HARD-480]', () => {
    const old = (id: number, time: number): Tick => tick(id, time, '1', 'BTC/USDT', AT);
    const silent = [1, 2, 3, 4, 5].map((second) => old(second, AT + second * 1_000));
    expect(openingOf(accepted, silent, AT + 5_000)).toBeNull();
    expect(openingOf(accepted, silent, AT + 6_000)).toBe('void');
    const fresh = tick(4, AT + 4_000, '2', 'BTC/USDT', accepted + 1);
    expect(openingOf(accepted, [...silent.slice(0, 3), fresh], AT + 4_000)).toMatchObject({ id: 4n, price: '2' });
    expect(openingOf(accepted, [{ ...fresh, at: accepted }], AT + 4_000)).toBeNull();
  });
  test('a tick of version 1 opens by the second in which it was recorded [HARD-481]', () => {
    expect(openingOf(accepted, [tick(2, AT + 1_000, '2', 'BTC/USDT', null)], AT + 1_000)).toMatchObject({ id: 2n });
  });
  test('a tick 5 s after it still does; none within 5 s is void, but only when none can come', () => {
    expect(openingOf(AT, [tick(1, AT + 5_000, '1')], AT + 5_000)).toMatchObject({ id: 1n });
    expect(openingOf(AT, [tick(1, AT + 6_000, '1')], AT + 6_000)).toBe('void');
    expect(openingOf(accepted, [], accepted + 4_999)).toBeNull();
    expect(openingOf(accepted, [], accepted + 5_000)).toBe('void');
  });
});

describe('the known ticks decide, not the time of day [MICRO-003]', () => {
  test('a market is known through its own last tick, or 10 s before the last one of any market', () => {
    const whole = (one: Tick) => ({ ...one, broken: false });
    const bitcoin: TickHead = whole(tick(7, AT, '1'));
    const ether: TickHead = whole(tick(9, AT + LATE_MS + 4_000, '1', 'ETH/USDT'));
    const heads = [bitcoin, ether];
    expect(knownThrough(heads, 'BTC/USDT')).toBe(AT + 4_000);
    expect(knownThrough(heads, 'ETH/USDT')).toBe(AT + LATE_MS + 4_000);
    expect(knownThrough([], 'BTC/USDT')).toBe(Number.NEGATIVE_INFINITY);
    // Where the chain is broken, ticks of other markets decide nothing.
    expect(knownThrough([{ ...bitcoin, broken: true }, ether], 'BTC/USDT')).toBe(AT);
  });
  test('nothing is judged while one of its ticks may still come', () => {
    const ticks = last('60010', '60012', '60011', '60013');
    expect(judgementOf(running('up'), ticks, AT + 59_999)).toBeNull();
    expect(judgementOf(running('up'), ticks, AT + 60_000)?.result).toBe('win');
  });
  test('every reader at any time finds the same opening and the same end (property)', () => {
    const prices = fc.array(fc.option(fc.integer({ min: 59_990, max: 60_010 }), { nil: null }), {
      minLength: 90,
      maxLength: 90,
    });
    fc.assert(
      fc.property(
        prices,
        fc.integer({ min: 0, max: 4_999 }),
        fc.array(fc.nat(89), { maxLength: 12 }),
        (seconds, at, looks) => {
          const all = seconds.flatMap((price, second) =>
            price === null ? [] : [tick(second + 1, AT + second * 1_000, String(price))],
          );
          const decide = (through: number): string | null => {
            const seen = all.filter(({ time }) => time <= through);
            const opening = openingOf(AT + at, seen, through);
            if (opening === null || opening === 'void') return opening;
            const open = { ...running('up'), openPrice: opening.price, expireTime: opening.time + 60_000 };
            const judgement = judgementOf(open, seen, through);
            return judgement && `${opening.id} ${judgement.result} ${judgement.endPrice} ${judgement.profits}`;
          };
          const final = decide(AT + 1_000_000);
          expect(final).not.toBeNull();
          for (const look of looks) expect([null, final]).toContain(decide(AT + look * 1_000));
        },
      ),
    );
  });
});

describe('the chain [MICRO-004]', () => {
  const head = { ...tick(7, AT, '1'), broken: false };
  test('only the next tick by number, hash and time continues the chain', () => {
    const next = { ...tick(8, AT + 1_000, '2') };
    expect(chainStep(undefined, next)).toEqual({ kind: 'next' });
    expect(chainStep(head, next)).toEqual({ kind: 'next' });
    expect(chainStep(head, head)).toEqual({ kind: 'known' });
    for (const wrong of [
      { ...head, hash: 'another' },
      tick(6, AT + 1_000, '1'),
      tick(9, AT + 1_000, '1'),
      { ...tick(9, AT + 1_000, '1'), prevHash: head.hash },
      { ...next, prevHash: 'another' },
      { ...next, time: AT },
    ])
      expect(chainStep(head, wrong).kind).toBe('broken');
  });
});
