import { afterAll, beforeAll, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing';
import { BTC, SpotBench, USDT } from '../spot-bench.js';
import { expectOrdersBack } from './orders-back.js';

jest.setTimeout(testTimeoutMs(24_000));

const PERSON = 100_001;
let bench: SpotBench;
beforeAll(async () => {
  bench = await SpotBench.create();
  bench.state.give(PERSON, USDT, '100000');
  bench.state.give(PERSON, BTC, '2');
});
afterAll(() => bench?.end());

test('a hundred thousand open orders are back after a restart [SPOT-219]', () =>
  expectOrdersBack(bench, 100_000, PERSON));
