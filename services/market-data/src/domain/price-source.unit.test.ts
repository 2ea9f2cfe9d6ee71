import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fold } from './candle.js';
import { MINUTE } from './period.js';
import { BadRecording, minutesOf, parseRecording, priceAt, weightedMean } from './recording.js';
import { ratioSource, recordedSource, simulatedSource, toPairScale } from './price-source.js';

const header = 'time,open,high,low,close,volume\n';
const three = parseRecording(
  `${header}60,100,110,90,105,2.5\n120,105,106,80,85,1\n300,85,85.5,84,84.00000001,0.1\n`,
  MINUTE,
);
const UNIT = 10n ** 8n;
const bundled = (name: string, minutes: number) =>
  parseRecording(
    gunzipSync(readFileSync(new URL(`../../recordings/${name}`, import.meta.url))).toString(),
    minutes * MINUTE,
  );

describe('a recording', () => {
  test('a line that does not fit is named [MARKET-010]', () => {
    for (const [text, message] of [
      ['x\n1', /line 1/],
      [`${header}60,1,2,3\n`, /line 2: expected 6/],
      [`${header}61,1,1,1,1,1\n`, /not aligned/],
      [`${header}60,1,1,1,1,1\n60,1,1,1,1,1\n`, /line 3/],
      [`${header}60,1e3,1,1,1,1\n`, /plain decimal/],
      [`${header}60,5,4,3,4,1\n`, /do not fit/],
      [header, /no candles/],
    ] as const) {
      expect(() => parseRecording(text, MINUTE)).toThrow(BadRecording);
      expect(() => parseRecording(text, MINUTE)).toThrow(message);
    }
  });

  test('the path runs open, low, high, close when it rises, high first when it falls [MARKET-011]', () => {
    const ticks = (start: number) =>
      Array.from({ length: 60 }, (_, second) => priceAt(three, start + second * 1000) / 1e8);
    const rising = ticks(60_000);
    expect([rising[0], Math.min(...rising), Math.max(...rising), rising[59]]).toEqual([100, 90, 110, 105]);
    expect(rising.indexOf(90)).toBeLessThan(rising.indexOf(110));
    const falling = ticks(120_000);
    expect([falling[0], Math.min(...falling), Math.max(...falling), falling[59]]).toEqual([105, 80, 106, 85]);
    expect(falling.indexOf(106)).toBeLessThan(falling.indexOf(80));
  });

  test('time without a recording stays flat, and both ends play backwards without a jump [MARKET-012]', () => {
    expect(priceAt(three, 200_000) / 1e8).toBe(85);
    expect(priceAt(three, 299_000) / 1e8).toBe(85);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 290 }), (seconds) => {
        expect(priceAt(three, 360_000 + seconds * 1000)).toBe(priceAt(three, 360_000 - seconds * 1000));
        expect(priceAt(three, 60_000 - seconds * 1000)).toBe(priceAt(three, 60_000 + seconds * 1000));
      }),
    );
  });

  test('replayed from the anchor on: history precedes it, in whole minutes, else as recorded [MARKET-013]', () => {
    const anchor = 1_800_000_000_000;
    const source = recordedSource(three, 300_000, anchor);
    expect(
      source
        .past()
        .minutes.map(({ time, open, high, low, close, volume }) => [time - anchor, open, high, low, close, volume]),
    ).toEqual([
      [-240_000, 100n * UNIT, 110n * UNIT, 90n * UNIT, 105n * UNIT, 250_000_000n],
      [-180_000, 105n * UNIT, 106n * UNIT, 80n * UNIT, 85n * UNIT, 100_000_000n],
    ]);
    expect(source.at(anchor)).toBe(85n * UNIT);
    expect(recordedSource(three, 300_000, anchor, 170n * UNIT).past().minutes[0]).toMatchObject({
      open: 200n * UNIT,
      volume: 250_000_000n,
    });
  });
});

describe('the bundled recordings', () => {
  const anchor = 1_800_000_000_000;
  test('five-minute candles become minutes whose fold equals the recording [MARKET-014]', () => {
    const eth = bundled('ETH-USD_5m_2023-03.csv.gz', 5);
    const folded = fold(minutesOf(eth, 0, Number.MAX_SAFE_INTEGER), '5min');
    expect(folded).toHaveLength(580);
    folded.forEach((bar, index) =>
      expect([bar.open, bar.high, bar.low, bar.close, bar.volume]).toEqual([
        BigInt(eth.opens[index]!),
        BigInt(eth.highs[index]!),
        BigInt(eth.lows[index]!),
        BigInt(eth.closes[index]!),
        eth.volumes[index]!,
      ]),
    );
  });

  test('each pair starts at its first price, and the cross follows the two it is derived from [MARKET-015]', () => {
    const btc = recordedSource(
      bundled('BTC-USD_1m_2013-11.csv.gz', 1),
      Date.UTC(2013, 10, 29),
      anchor,
      5_667_002_000_000n,
    );
    const eth = recordedSource(
      bundled('ETH-USD_5m_2023-03.csv.gz', 5),
      Date.UTC(2023, 2, 14, 18),
      anchor,
      417_346_000_000n,
    );
    const cross = ratioSource(eth, btc, anchor, 7_363_700n, 'ETH/BTC');
    expect([btc.at(anchor), eth.at(anchor), cross.at(anchor)]).toEqual([
      5_667_002_000_000n,
      417_346_000_000n,
      7_363_700n,
    ]);
    const later = anchor + 3_600_000;
    const exact = (eth.at(later) * UNIT) / btc.at(later);
    const ratio = Number(cross.at(later)) / Number(exact) / (0.073637 / (4173.46 / 56670.02));
    expect(Math.abs(ratio - 1)).toBeLessThan(1e-6);
    const history = cross.past().minutes;
    expect(history).toHaveLength(1440);
    expect(
      history.every(
        ({ open, high, low, close, volume }) =>
          low <= open && low <= close && high >= open && high >= close && volume === 0n,
      ),
    ).toBe(true);
  });
});

test('the simulation is the same at each start, begins at the first price and moves without jumps [MARKET-016]', () => {
  const anchor = 1_800_000_000_000;
  const source = simulatedSource('LTC/USDT', anchor, 377n * UNIT);
  expect(source.at(anchor)).toBe(377n * UNIT);
  const again = simulatedSource('LTC/USDT', anchor, 377n * UNIT);
  let moved = 0;
  for (let second = 1; second < 86_400; second += 1) {
    const now = source.at(anchor + second * 1000);
    const before = source.at(anchor + (second - 1) * 1000);
    if (second % 997 === 0) expect(again.at(anchor + second * 1000)).toBe(now);
    if (now !== before) moved++;
    const step = Math.abs(Number(now - before)) / Number(before);
    if (step > 0.002) throw new Error(`jump of ${step} at second ${second}`);
  }
  expect(moved).toBeGreaterThan(86_000);
});

test('prices are rounded to the pair, and never become 0 [MARKET-011]', () => {
  expect(toPairScale(12_345_678n, 2)).toBe(12n);
  expect(toPairScale(12_550_000n, 2)).toBe(13n);
  expect(toPairScale(1n, 2)).toBe(1n);
});

describe('the mean that limits go by [HARD-101]', () => {
  test('of a recording is weighted by volume; without any, every minute counts alike', () => {
    // One minute at 100 with a volume of 3, one at 200 with 1; the recording is folded many times into a day.
    const two = parseRecording(`${header}60,100,100,100,100,3\n120,200,200,200,200,1\n`, MINUTE);
    expect(weightedMean(two, 180_000) / 1e8).toBe(125);
    const none = parseRecording(`${header}60,100,100,100,100,0\n120,200,200,200,200,0\n`, MINUTE);
    expect(weightedMean(none, 180_000) / 1e8).toBe(150);
  });

  test('of a source is scaled as its price is, and is within the prices of the source', () => {
    const anchor = Date.UTC(2026, 0, 2);
    const recording = bundled('BTC-USD_1m_2013-11.csv.gz', 1);
    const recorded = recordedSource(recording, Date.UTC(2013, 10, 29), anchor, 56_670n * UNIT);
    const simulated = simulatedSource('LTC/USDT', anchor, 377n * UNIT);
    for (const source of [recorded, simulated, ratioSource(recorded, simulated, anchor, 150n * UNIT, 'BTC/LTC')]) {
      const day = Array.from({ length: 1_440 }, (_, minute) => source.at(anchor - minute * MINUTE)).sort((a, b) =>
        a < b ? -1 : 1,
      );
      expect(source.mean(anchor)).toBeGreaterThan((day[0]! * 99n) / 100n);
      expect(source.mean(anchor)).toBeLessThan((day.at(-1)! * 101n) / 100n);
      expect(source.mean(anchor + 1_000)).toBe(source.mean(anchor));
    }
  });
});
