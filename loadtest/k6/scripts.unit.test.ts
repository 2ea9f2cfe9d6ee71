import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADDRESS_RATES, USER_RATES } from '@bourse/contract';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { bookProblems, candleProblems, groupProblems, quotationProblems, tradeProblems } from './lib/looks.js';
import { doubleNames, growthOf, sumOf } from './lib/figures.js';
import { isLimited, isTakenUp, ownerOf, outcomeOf, REASONS, reasonOf, whyNoExchange } from './lib/outcome.js';
import * as pace from './lib/pace.js';
import { describeRamp, ratesOf, type Step } from './lib/ramp.js';
import { textOf } from './lib/summary.js';

interface PodOfK6 {
  readonly image: string;
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
  }[];
  readonly volumes: readonly {
    readonly name: string;
    readonly configMap?: { readonly items: readonly { readonly path: string }[] };
  }[];
  readonly volumeMounts: readonly { readonly name: string }[];
}
interface TestRun {
  readonly spec: {
    readonly parallelism: number;
    readonly script: { readonly localFile: string };
    readonly runner: PodOfK6;
    readonly initializer: PodOfK6;
  };
}

describe('an answer', () => {
  const refused = (key: string): string => JSON.stringify({ type: 'error', key, message: 'no' });

  test.each([
    ['ok', 200, '{"type":"ok","id":"7"}'],
    ['refused:balance.insufficient', 200, refused('balance.insufficient')],
    ['refused:common.tooMany', 429, refused('common.tooMany')],
    ['refused:none', 429, '<html>an ingress</html>'],
    ['refused:market.paused', 503, refused('market.paused')],
    ['unknown', 202, refused('common.processing')],
    ['unknown', 500, refused('common.defect')],
    ['unknown', 0, null],
  ])('is understood as %s', (outcome, status, body) => expect(outcomeOf({ status, body })).toBe(outcome));

  test('is a measure of the exchange only when it has taken the call up [LOAD-007]', () => {
    const takenUp = [200, 202, 400, 404, 500, 0].filter((status) => isTakenUp({ status }));
    // A call that was never answered counts with the time it was waited for.
    expect(takenUp).toEqual([200, 202, 400, 404, 500, 0]);
    expect([429, 503].filter((status) => isTakenUp({ status }))).toEqual([]);
    expect([429, 503, 200].filter((status) => isLimited({ status }))).toEqual([429]);
  });

  test('proves whose a token is, or fails; a rate limit alone says nothing [LOAD-018]', () => {
    const info = (id: number): string => JSON.stringify({ type: 'ok', message: { id } });
    expect(ownerOf({ status: 200, body: info(7) }, 7)).toBe('own');
    expect(ownerOf({ status: 200, body: info(8) }, 7)).toBe('other');
    expect(ownerOf({ status: 429, body: refused('common.tooMany') }, 7)).toBe('unasked');
    for (const status of [0, 202, 401, 403, 500, 503])
      expect(ownerOf({ status, body: refused('auth.expired') }, 7)).toBe('unproved');
    for (const body of [refused('auth.expired'), '<html>', '', null])
      expect(ownerOf({ status: 200, body }, 7)).toBe('unproved');
  });

  test('that refuses an order has a reason that is counted', () => {
    expect(reasonOf('refused:market.stale')).toBe('market.stale');
    expect(reasonOf('refused:something.new')).toBe('other');
    expect(new Set(REASONS).size).toBe(REASONS.length);
  });
});

describe('the pace of a run', () => {
  test('goes by the rates that the contract names [LOAD-006]', () => {
    const perSecond = ({ limit, windowMs }: { limit: number; windowMs: number }): number => (limit * 1000) / windowMs;
    expect(pace.LIMITS).toEqual({
      ordersPerSecond: perSecond(USER_RATES.order),
      transfersPerMinute: perSecond(USER_RATES.transfer) * 60,
      c2cPerMinute: perSecond(USER_RATES.c2c) * 60,
      withdrawalsPerMinute: perSecond(USER_RATES.withdraw) * 60,
      callsPerSecond: perSecond(ADDRESS_RATES.all),
      publicPerSecond: perSecond(ADDRESS_RATES.public),
      signInsPerMinute: perSecond(ADDRESS_RATES.signIn) * 60,
      signInsOfOnePerMinute: perSecond(ADDRESS_RATES.signInAccount) * 60,
      sockets: 20,
    });
  });

  test.each([1, 2, 4, 10, 1000])('stays below them with %d people [LOAD-006]', (heads) => {
    // Orders are 65 % of the turns of the flow, and two of each trade; a deal is three calls over all people.
    expect(pace.ordersPace(heads)).toBeLessThanOrEqual(50);
    expect((pace.ordersPace(heads) * 0.65) / heads).toBeLessThanOrEqual(10.001);
    expect((pace.tradesPace(heads) * 2) / heads).toBeLessThanOrEqual(10);
    expect(pace.tradesPace(heads) * 2).toBeLessThanOrEqual(50);
    expect((pace.dayPace(heads) * 0.05 * 60) / heads).toBeLessThanOrEqual(5.001);
    expect((pace.dealsPace(heads) * 3 * 60) / heads).toBeLessThanOrEqual(15);
    expect(pace.signInPace(heads) * 60).toBeLessThanOrEqual(10);
    expect((pace.signInPace(heads) * 60) / heads).toBeLessThanOrEqual(2.5);
    expect((pace.withdrawalsPace(heads) * 60) / heads).toBeLessThanOrEqual(2.5);
    expect(pace.housePace(heads) / heads).toBeLessThanOrEqual(1);
    const { ordersPace, tradesPace, dayPace, dealsPace, signInPace, withdrawalsPace, housePace } = pace;
    for (const rate of [ordersPace, tradesPace, dayPace, dealsPace, signInPace, withdrawalsPace, housePace])
      expect(rate(heads)).toBeGreaterThan(0);
  });

  test('is whole turns in a second, else in a minute', () => {
    expect(pace.arrivals(50)).toEqual({ rate: 50, timeUnit: '1s' });
    expect(pace.arrivals(1 / 6)).toEqual({ rate: 10, timeUnit: '1m' });
    expect(pace.arrivals(0.001)).toEqual({ rate: 1, timeUnit: '1m' });
  });

  test('of questions halves when some are turned away, and never ends [LOAD-006]', () => {
    let size = pace.AT_ONCE;
    const sizes = [true, true, true, true, true, true, false, false].map((away) => (size = pace.nextBatch(size, away)));
    expect(sizes).toEqual([10, 5, 2, 1, 1, 1, 2, 3]);
    expect(pace.nextBatch(pace.AT_ONCE, false)).toBe(pace.AT_ONCE);
  });
});

describe('public data', () => {
  const at = (price: string, number = '1'): { price: string; number: string } => ({ price, number });
  const book = (bids: ReturnType<typeof at>[], asks: ReturnType<typeof at>[]): string[] =>
    bookProblems({ symbol: 'A/B', in: bids, out: asks });

  test('is right as it should be [LOAD-008]', () => {
    expect(book([at('9.9'), at('9.8')], [at('10'), at('10.1')])).toEqual([]);
    expect(book([], [at('10')])).toEqual([]);
    // As texts 9 sorts after 10; as numbers a digit far after the point would be lost.
    expect(book([at('10'), at('9')], [at('10.000000000000000001')])).toEqual([]);
  });

  test.each([
    ['is not in order', [at('9'), at('10')], [at('11')], 'the bids of A/B are not in order: 9, 10'],
    ['has a price twice', [at('9')], [at('11'), at('11.0')], 'the asks of A/B are not in order: 11, 11.0'],
    ['is crossed', [at('10.000000000000000001')], [at('10')], 'is crossed: 10.000000000000000001 is bid and 10 asked'],
    ['has an empty level', [at('9', '0.00')], [], 'the book of A/B has 0.00 at 9'],
  ])('a book that %s is found [LOAD-008]', (_, bids, asks, said) =>
    expect(book(bids, asks)).toEqual([expect.stringContaining(said)]),
  );

  test('candles with a hole, a repeat or a price beyond their bounds are found [LOAD-008]', () => {
    const bar = (minute: number, high = 3, low = 1): Parameters<typeof candleProblems>[0][number] => ({
      time: minute * 60_000,
      open: 2,
      high,
      low,
      close: 2,
    });
    expect(candleProblems([bar(1), bar(2), bar(3)], 'A/B')).toEqual([]);
    expect(candleProblems([bar(1), bar(3)], 'A/B')).toEqual([expect.stringContaining('a hole or a repeat')]);
    expect(candleProblems([bar(1), bar(1)], 'A/B')).toEqual([expect.stringContaining('a hole or a repeat')]);
    expect(candleProblems([bar(1, 1.5)], 'A/B')).toEqual([expect.stringContaining('beyond its high and low')]);
    expect(candleProblems([bar(1, 3, 2.5)], 'A/B')).toEqual([expect.stringContaining('beyond its high and low')]);
  });

  test('trades whose numbers do not fall one by one fail the check [LOAD-008]', () => {
    const ids = (...numbers: number[]): { id: string }[] => numbers.map((number) => ({ id: `A/B-${number}` }));
    expect(tradeProblems(ids(9, 8, 7), 'A/B')).toEqual([]);
    expect(tradeProblems(ids(9, 7), 'A/B')).toEqual(['after trade 9 of A/B comes 7']);
    expect(tradeProblems(ids(9, 9), 'A/B')).toHaveLength(1);
  });

  test('a pair that is missing, twice there or with a low above its high is found [LOAD-008]', () => {
    const item = (symbol: string, low = '1', high = '2'): Parameters<typeof quotationProblems>[0][number] => ({
      symbol,
      now_price: '1.5',
      low,
      high,
    });
    expect(quotationProblems([item('A/B'), item('C/B')], 'A/B')).toEqual([]);
    expect(quotationProblems([item('C/B')], 'A/B')).toEqual(['A/B stands 0 times among the quotations']);
    expect(quotationProblems([item('A/B', '3')], 'A/B')).toHaveLength(1);
    const group = { name: 'B', quotation: [{ symbol: 'A/B' }] };
    expect(groupProblems([group], 'A/B')).toEqual([]);
    expect(groupProblems([group, group], 'A/B')).toEqual(['A/B stands in 2 groups of quotations']);
  });
});

describe('the address of a run', () => {
  test.each([
    ['does not answer: dial tcp: connection refused', 0, null, 'dial tcp: connection refused'],
    ['answers, but is no exchange: status 404 for /api/config', 404, '<html>nothing here</html>', undefined],
    ['answers, but is no exchange: status 200 for /api/config', 200, '{"hello":"world"}', undefined],
    [undefined, 200, '{"type":"ok","message":{}}', undefined],
    [undefined, 429, '{"type":"error","key":"common.tooMany"}', undefined],
    [undefined, 503, '{"type":"error","key":"common.unavailable"}', undefined],
  ])('%s', (why, status, body, error) =>
    expect(whyNoExchange({ status, body, ...(error === undefined ? {} : { error }) })).toBe(why),
  );
});

describe('a run of several processes', () => {
  test('gives each process its own users, and all users together [LOAD-010]', () => {
    const people = Array.from({ length: 11 }, (_, index) => index);
    const shares = [1, 2, 3].map((instance) => pace.shareOf(people, instance, 3));
    expect(shares.flat().sort((a, b) => a - b)).toEqual(people);
    expect(Math.max(...shares.map(({ length }) => length)) - Math.min(...shares.map(({ length }) => length))).toBe(1);
  });

  test('knows its number by the end of a name, and refuses one that is not among them [LOAD-010]', () => {
    expect(pace.instanceOf(undefined, 1)).toBe(1);
    expect(pace.instanceOf('k6-3', 3)).toBe(3);
    for (const name of ['k6-4', 'k6-0', 'k6'])
      expect(() => pace.instanceOf(name, 3)).toThrow('INSTANCE must end with a number from 1 to INSTANCES, 3');
  });
});

test('a run of several pods gives each its number, its users and every script [LOAD-010]', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const { spec } = parse(readFileSync(join(root, 'k8s/loadtest/testrun.yaml'), 'utf8')) as TestRun;
  const scripts = readdirSync(join(root, 'loadtest/k6'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  for (const { env, volumes, volumeMounts } of [spec.runner, spec.initializer]) {
    const valueOf = (wanted: string): number => Number(env.find(({ name }) => name === wanted)?.value);
    expect(valueOf('INSTANCES')).toBe(spec.parallelism);
    for (const name of ['VUS', 'PEOPLE']) expect(valueOf(name) % spec.parallelism).toBe(0);
    // Within the rates of an ordinary install: of each address, and of each person.
    expect(valueOf('RATE')).toBeLessThanOrEqual(
      pace.ordersPace(valueOf('PEOPLE') / spec.parallelism) * spec.parallelism,
    );
    const items = volumes.flatMap(({ configMap }) => configMap?.items ?? []);
    expect(items.map(({ path }) => path).sort()).toEqual(scripts.sort());
    expect(volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.map(({ name }) => name).sort());
  }
  expect(spec.runner.env.find(({ name }) => name === 'INSTANCE')?.valueFrom?.fieldRef?.fieldPath).toBe(
    "metadata.labels['job-name']",
  );
  expect(scripts).toContain(spec.script.localFile.replace('/scripts/', ''));
  const { containers } = (
    parse(readFileSync(join(root, 'k8s/loadtest/job.yaml'), 'utf8')) as {
      spec: { template: { spec: { containers: { image: string }[] } } };
    }
  ).spec.template.spec;
  expect([spec.runner.image, spec.initializer.image]).toEqual([containers[0]?.image, containers[0]?.image]);
});

describe('a rate', () => {
  test('has as many connections as it needs when answers take the longest that they may [LOAD-011]', () => {
    expect(pace.vusFor(50, 1_000)).toBe(50);
    expect(pace.vusFor(2.5, 300)).toBe(1);
    expect(pace.vusFor(50, 60_000)).toBe(50);
    expect(pace.vusFor(1e6, 1_000)).toBe(1_000);
  });
});

describe('a ramp', () => {
  const limits = { p99Ms: 1_000, dropped: 0.05, turnedAway: 0.05 };
  const step = (rate: number, more: Partial<Step> = {}): Step => ({
    rate,
    begun: 1,
    samples: 400,
    p99: 40,
    turnedAway: 0,
    ...more,
  });

  test('goes from one rate to the other by steps [LOAD-012]', () => {
    expect(ratesOf(10, 45, 10)).toEqual([10, 20, 30, 40]);
    for (const [from, to, by] of [
      [0, 10, 1],
      [20, 10, 1],
      [1, 10, 0],
    ] as const)
      expect(() => ratesOf(from, to, by)).toThrow('FROM, TO and STEP are rates');
  });

  test('finds the last rate before the first that was not held [LOAD-012]', () => {
    // One that is held again behind it is luck.
    const told = describeRamp([step(10), step(20, { p99: 900 }), step(30, { p99: 1_000 }), step(40)], limits);
    expect(told.at(-1)).toBe('Highest rate that held p(99)<1000: 20 a second (p(99) 900 ms of 400).');
    expect(told[2]).toContain('30/s');
    expect(told[2]).toContain('answers took longer');
  });

  test.each([
    [{ begun: 0.9 }, 'turns could not begin', 'begin with a lower FROM'],
    [{ turnedAway: 0.06 }, 'calls were turned away', 'begin with a lower FROM'],
    [{ samples: 99 }, 'too few answers for a percentile', 'give longer STEP_SECONDS'],
  ])('does not hold a rate where %j [LOAD-012]', (more, reason, advice) => {
    const told = describeRamp([step(10, more)], limits);
    expect(told[0]).toContain(reason);
    expect(told.at(-1)).toBe(`No rate held p(99)<1000: ${advice}.`);
  });

  test('that holds all its rates asks for a higher end [LOAD-012]', () => {
    expect(describeRamp([step(10), step(20)], limits).at(-1)).toContain('20 a second (p(99) 40 ms of 400). All did');
  });
});

describe('figures of a process', () => {
  test('are summed over their labels, and absent where they are not shown [LOAD-013]', () => {
    const text = '# HELP a b\nlag{consumer="x"} 3\nlag{consumer="y z"} 4.5\nlag_other 9\nplain 2e3\n';
    expect([sumOf(text, 'lag'), sumOf(text, 'plain'), sumOf(text, 'absent')]).toEqual([7.5, 2000, undefined]);
  });

  test('that grow are distinguished from those that only warm up [LOAD-013]', () => {
    expect(growthOf([100, 200, 200, 200, 200, 200, 200, 200])).toBeCloseTo(0);
    expect(growthOf([100, 100, 200, 200, 300, 300, 400, 400])).toBeCloseTo(0.75);
    expect(growthOf([1, 2, 3])).toBe(0);
  });
});

describe('the end of a run', () => {
  const counter = (count: number, thresholds = {}): Parameters<typeof textOf>[0]['metrics'][string] => ({
    type: 'counter',
    contains: 'default',
    values: { count },
    thresholds,
  });
  const rate = (share: number, thresholds = {}): ReturnType<typeof counter> => ({
    type: 'rate',
    contains: 'default',
    values: { rate: share, passes: share * 1000, fails: (1 - share) * 1000 },
    thresholds,
  });
  const said = (metrics: Parameters<typeof textOf>[0]['metrics']): string =>
    textOf({ metrics, state: { testRunDurationMs: 48_000 } });

  test('reports that every check passed', () => {
    const text = said({
      turned_away: rate(0.01, { 'rate<=0.05': { ok: true } }),
      orders_accepted: rate(0.97, { 'rate>=0.8': { ok: true } }),
    });
    expect(text).toContain('✓ rate<=0.05');
    expect(text).toContain('PASSED: every threshold holds. (48 s');
  });

  test('names no percentile of fewer values than it needs [LOAD-014]', () => {
    const trend = (count: number): ReturnType<typeof counter> => ({
      type: 'trend',
      contains: 'time',
      values: { med: 35, 'p(95)': 50, 'p(99)': 57, max: 57, count },
    });
    expect(said({ signin_ms: trend(6) })).toContain('med 35 ms, max 57 ms (6: too few for a percentile)');
    expect(said({ signin_ms: trend(20) })).toContain('med 35 ms, p(95) 50 ms, max 57 ms (20: too few');
    expect(said({ signin_ms: trend(100) })).toContain('p(95) 50 ms, p(99) 57 ms, max 57 ms');
  });

  test('that never began reports only that [LOAD-015]', () => {
    const text = said({ http_reqs: counter(3), orders_accepted: rate(0, { 'rate>=0.8': { ok: false } }) });
    expect(text).toBe('\nFAILED: the run did not begin; the reason stands above.\n');
  });

  test('of a refused run names the reason and the remedy [LOAD-007]', () => {
    const text = said({
      turned_away: rate(0.99, { 'rate<=0.05': { ok: false } }),
      rate_limited: counter(980),
      unavailable: counter(10),
      orders_accepted: rate(0.005, { 'rate>=0.8': { ok: false } }),
      orders_refused: counter(995),
      'orders_refused{reason:common.tooMany}': counter(980, { 'count>=0': { ok: true } }),
      'orders_refused{reason:market.paused}': counter(10, { 'count>=0': { ok: true } }),
      'orders_refused{reason:kyc.required}': counter(0, { 'count>=0': { ok: true } }),
      'orders_refused{reason:balance.insufficient}': counter(5, { 'count>=0': { ok: true } }),
    });
    expect(text).toContain('FAILED: orders_accepted rate>=0.8; turned_away rate<=0.05');
    expect(text).toContain('99 % of the calls were turned away: 980 by a rate (429), 10 because something was away');
    expect(text).toContain('raise RATE_SCALE of an install under test');
    expect(text).toContain('With 503 nothing was done');
    expect(text).toContain(
      'Only 0.5 % of the orders were accepted ' +
        '(refused: common.tooMany 980, market.paused 10, balance.insufficient 5)',
    );
  });

  test('gives the advice that fits: no higher rate because a part is down [LOAD-007]', () => {
    const turned_away = rate(0.1, { 'rate<=0.05': { ok: false } });
    expect(said({ turned_away, unavailable: counter(3) })).not.toContain('RATE_SCALE');
    expect(said({ turned_away, rate_limited: counter(3) })).not.toContain('503 nothing was done');
  });

  test.each([
    ['dropped_iterations', counter(40, { 'count<=7': { ok: false } }), '40 turns could not begin'],
    ['compared_users', counter(3, { 'count==10': { ok: false } }), 'Only 3 virtual users came to the end'],
    ['compared_people', counter(3, { 'count==10': { ok: false } }), 'Only 3 people were looked at'],
    ['sockets_subscribed', counter(20, { 'count==30': { ok: false } }), 'Only 20 sockets were let in'],
    ['checks', rate(0.9, { 'rate>=0.99': { ok: false } }), '10 % of the checks failed'],
    ['wrong_reads', counter(2, { 'count==0': { ok: false } }), '2 answers contradict themselves'],
    ['unreconciled', counter(2, { 'count==0': { ok: false } }), 'FAILED: NOT RECONCILED; unreconciled count==0'],
  ])('that crosses a threshold of %s says why [LOAD-007]', (name, metric, sentence) => {
    const text = said({ [name]: metric });
    expect(text).toContain('FAILED: ');
    expect(text).toContain(sentence);
  });
});

test('a name that two orders have is reported once, and an order that a page repeats is not [LOAD-016]', () => {
  const order = (id: string, name: string): { id: string; client_order_id: string } => ({ id, client_order_id: name });
  expect(doubleNames([order('1', 'a'), order('2', 'b'), order('1', 'a')])).toEqual([]);
  expect(doubleNames([order('1', 'a'), order('2', 'a'), order('3', 'a')])).toEqual(['two orders are called a']);
});
