import { divide, toUnits } from '@bourse/money';
import { quiet, SCALE, type Candle } from './candle.js';
import { DAY, MINUTE } from './period.js';

/**
 * A recorded market: candles of one length on one line of time, rising. Prices as integers in units of `SCALE`, kept in
 * floats that hold them exactly (checked when they are read): the feed reads them each second.
 */
export interface Recording {
  /** Length of a recorded candle, ms. */
  readonly step: number;
  readonly times: Float64Array;
  readonly opens: Float64Array;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  readonly closes: Float64Array;
  /** Volumes as recorded, in units of `SCALE`: a minute of a cheap coin does not fit a float. */
  readonly volumes: BigInt64Array;
}

/** A file that cannot be read as a recording; names the line. */
export class BadRecording extends Error {}

/**
 * Reads `time,open,high,low,close,volume` (seconds UTC, plain decimals). Throws `BadRecording` when a line does not
 * fit, or times do not rise.
 */
export function parseRecording(csv: string, step: number): Recording {
  const lines = csv.split('\n');
  if (lines[0] !== 'time,open,high,low,close,volume')
    throw new BadRecording(
      `line 1: expected the header time,open,high,low,close,volume, got ${JSON.stringify(lines[0]?.slice(0, 80))}`,
    );
  const count = lines.at(-1) === '' ? lines.length - 2 : lines.length - 1;
  const [times, opens, highs, lows, closes] = Array.from({ length: 5 }, () => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const prices = [times, opens, highs, lows, closes];
  const volumes = new BigInt64Array(count);
  for (let row = 0; row < count; row++) {
    const line = lines[row + 1]!;
    const fields = line.split(',');
    if (fields.length !== 6)
      throw new BadRecording(`line ${row + 2}: expected 6 fields, got ${JSON.stringify(line.slice(0, 80))}`);
    times[row] = Number(fields[0]) * 1000;
    for (let column = 1; column < 5; column++) prices[column]![row] = scaled(fields[column]!, row + 2);
    volumes[row] = exact(fields[5]!, row + 2);
    if (!(times[row]! % step === 0) || (row > 0 && times[row]! <= times[row - 1]!))
      throw new BadRecording(`line ${row + 2}: time ${fields[0] ?? ''} is not aligned, or does not rise`);
    if (
      !(
        lows[row]! > 0 &&
        lows[row]! <= Math.min(opens[row]!, closes[row]!) &&
        highs[row]! >= Math.max(opens[row]!, closes[row]!)
      )
    )
      throw new BadRecording(`line ${row + 2}: low, open, close and high do not fit`);
  }
  if (count === 0) throw new BadRecording('no candles');
  return { step, times, opens, highs, lows, closes, volumes };
}

/** Decimal text to an integer of `SCALE` decimals. */
function exact(text: string, line: number): bigint {
  if (!/^\d{1,10}(\.\d{1,8})?$/.test(text))
    throw new BadRecording(`line ${line}: ${JSON.stringify(text)} is not a plain decimal of at most ${SCALE} decimals`);
  return toUnits(text, SCALE);
}

function scaled(text: string, line: number): number {
  const value = text.length <= 12 && /^\d+(\.\d{1,8})?$/.test(text) ? short(text) : Number(exact(text, line));
  if (!Number.isSafeInteger(value)) throw new BadRecording(`line ${line}: ${text} is too large`);
  return value;
}

/** The same for texts whose digits fit an integer anyway: half a million of them are read at each start. */
function short(text: string): number {
  let value = 0;
  let decimals = -1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === POINT) decimals = 0;
    else {
      value = value * 10 + (code - ZERO);
      if (decimals >= 0) decimals++;
    }
  }
  return value * TENS[SCALE - Math.max(decimals, 0)]!;
}
const POINT = 46;
const ZERO = 48;
const TENS = Array.from({ length: SCALE + 1 }, (_, index) => 10 ** index);

export const startOf = (recording: Recording): number => recording.times[0]!;
export const endOf = (recording: Recording): number => recording.times[recording.times.length - 1]! + recording.step;

/** Index of the newest candle that opens at or before `time`; -1 before the first. */
function indexAt({ times }: Recording, time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

/**
 * Price at a moment of the recording: within a candle the path runs open, low, high, close (high before low when it
 * closes lower than it opened), in straight lines over its thirds, and reaches all four. A stretch that was not
 * recorded stays flat. The moment is folded back into the recording at both ends: it plays backwards there, so that no
 * price jumps.
 */
export function priceAt(recording: Recording, moment: number): number {
  const time = folded(recording, moment);
  const index = Math.max(0, indexAt(recording, time));
  return pathAt(recording, index, time - recording.times[index]!);
}

function folded(recording: Recording, moment: number): number {
  const first = startOf(recording);
  const length = endOf(recording) - first;
  const turn = (((moment - first) % (2 * length)) + 2 * length) % (2 * length);
  return first + (turn < length ? turn : 2 * length - turn);
}

/**
 * Mean price of the 24 hours of the recording that were played before `moment`, folded at its ends as the price is: the
 * middle of each candle's high, low and close, weighted by its volume; every minute alike where none of them has a
 * volume.
 */
export function weightedMean(recording: Recording, moment: number): number {
  let [weighted, weight, plain, count] = [0n, 0n, 0n, 0n];
  for (let back = MINUTE; back <= DAY; back += MINUTE) {
    // The middle of a minute: played backwards, its edges belong to its neighbours.
    const index = Math.max(0, indexAt(recording, folded(recording, moment - back + MINUTE / 2)));
    const volume = recording.volumes[index]!;
    const typical = BigInt(recording.highs[index]!) + BigInt(recording.lows[index]!) + BigInt(recording.closes[index]!);
    weighted += typical * volume;
    weight += volume;
    plain += typical;
    count += 1n;
  }
  return Number(weight > 0n ? divide(weighted, 3n * weight, 'half_up') : divide(plain, 3n * count, 'half_up'));
}

/**
 * The price along the path of one candle; after its length the close. The close is reached one second before the end,
 * so that ticks on full seconds see all four prices.
 */
function pathAt({ opens, highs, lows, closes, step }: Recording, index: number, elapsed: number): number {
  const open = opens[index]!;
  const close = closes[index]!;
  const last = step - 1000;
  if (elapsed >= last) return close;
  const [early, late] = close >= open ? [lows[index]!, highs[index]!] : [highs[index]!, lows[index]!];
  const third = step / 3;
  if (elapsed < third) return between(open, early, elapsed / third);
  if (elapsed < 2 * third) return between(early, late, (elapsed - third) / third);
  return between(late, close, (elapsed - 2 * third) / (last - 2 * third));
}

const between = (from: number, to: number, part: number): number => Math.round(from + (to - from) * part);

/**
 * Minutes recorded in [from, to), as they are; of longer candles, minutes along the path, with the volume in even parts
 * whose sum is the recorded one. `map` may scale a price.
 */
export function minutesOf(
  recording: Recording,
  from: number,
  to: number,
  map: (price: number) => bigint = (price) => BigInt(price),
): Candle[] {
  const minutes: Candle[] = [];
  const parts = recording.step / MINUTE;
  for (
    let index = Math.max(0, indexAt(recording, from));
    index < recording.times.length && recording.times[index]! < to;
    index++
  ) {
    const volume = recording.volumes[index]!;
    for (let part = 0; part < parts; part++) {
      const time = recording.times[index]! + part * MINUTE;
      if (time < from || time >= to) continue;
      const even = volume / BigInt(parts);
      const share = part === parts - 1 ? volume - even * BigInt(parts - 1) : even;
      const prices =
        parts === 1
          ? [recording.opens[index]!, recording.highs[index]!, recording.lows[index]!, recording.closes[index]!]
          : cornersOf(recording, index, part * MINUTE);
      const [open, high, low, close] = prices.map(map) as [bigint, bigint, bigint, bigint];
      minutes.push({ ...quiet(time, open), high, low, close, volume: share });
    }
  }
  return minutes;
}

/** Open, high, low and close of one minute of a longer candle's path. */
function cornersOf(recording: Recording, index: number, from: number): number[] {
  const last = from + MINUTE === recording.step;
  const points = [
    from,
    ...[recording.step / 3, (2 * recording.step) / 3].filter((corner) => corner > from && corner < from + MINUTE),
    from + MINUTE,
  ];
  const prices = points.map((elapsed) =>
    last && elapsed === from + MINUTE ? recording.closes[index]! : pathAt(recording, index, elapsed),
  );
  return [prices[0]!, Math.max(...prices), Math.min(...prices), prices.at(-1)!];
}
