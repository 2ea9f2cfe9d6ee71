import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { quiet, type Candle } from '../../domain/candle.js';

const compress = promisify(gzip);

/** Candles as text lines of integers, compressed: a day of minutes takes about 20 kB. */
export function packCandles(bars: readonly Candle[]): Promise<Buffer> {
  return compress(
    bars.map(({ time, open, high, low, close, volume }) => [time, open, high, low, close, volume].join(',')).join('\n'),
  );
}

/** The candles of `packCandles`. */
export function unpackCandles(packed: Buffer): Candle[] {
  return gunzipSync(packed)
    .toString()
    .split('\n')
    .map((line) => {
      const [time, open, high, low, close, volume] = line.split(',') as [
        string,
        string,
        string,
        string,
        string,
        string,
      ];
      return {
        ...quiet(Number(time), BigInt(open)),
        high: BigInt(high),
        low: BigInt(low),
        close: BigInt(close),
        volume: BigInt(volume),
      };
    });
}
