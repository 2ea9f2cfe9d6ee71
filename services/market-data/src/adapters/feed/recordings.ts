import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MINUTE } from '../../domain/period.js';
import { endOf, parseRecording, startOf, type Recording } from '../../domain/recording.js';

const inflate = promisify(gunzip);
/** Beside `src` and `dist` alike. */
const BUNDLED = fileURLToPath(new URL('../../../recordings/', import.meta.url));

/** Recorded moment that is "now" at the first start with a folder of recordings (rules §17). */
const FOLDER_NOW = Date.UTC(2021, 4, 12);
/** The recordings that come with the project; "now" leaves history before it and a stretch to play after it. */
const BUNDLED_FILES: Readonly<Record<string, { file: string; minutes: number; now: number }>> = {
  'BTC/USDT': { file: 'BTC-USD_1m_2013-11.csv.gz', minutes: 1, now: Date.UTC(2013, 10, 29) },
  'ETH/USDT': { file: 'ETH-USD_5m_2023-03.csv.gz', minutes: 5, now: Date.UTC(2023, 2, 14, 18) },
};

export interface FoundRecording {
  readonly recording: Recording;
  readonly recordedNow: number;
}

/**
 * The one-minute recording of a pair in a folder of recordings, or null when the folder has none. Throws `BadRecording`
 * with the file's name.
 */
export async function folderRecording(folder: string, symbol: string): Promise<FoundRecording | null> {
  const file = join(folder, 'candles', `${symbol.replace('/', '-')}_1m.csv.gz`);
  if (!existsSync(file)) return null;
  const recording = await readRecording(file, 1);
  const inside = FOLDER_NOW >= startOf(recording) && FOLDER_NOW < endOf(recording);
  return {
    recording,
    recordedNow: inside
      ? FOLDER_NOW
      : Math.floor((startOf(recording) + (endOf(recording) - startOf(recording)) * 0.75) / MINUTE) * MINUTE,
  };
}

export async function bundledRecording(symbol: string): Promise<FoundRecording | null> {
  const known = BUNDLED_FILES[symbol];
  return known
    ? { recording: await readRecording(join(BUNDLED, known.file), known.minutes), recordedNow: known.now }
    : null;
}

async function readRecording(file: string, minutes: number): Promise<Recording> {
  const text = (await inflate(await readFile(file))).toString('latin1');
  try {
    return parseRecording(text, minutes * MINUTE);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
