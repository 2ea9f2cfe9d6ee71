import { toUnits } from '@bourse/money';
import { WrongValue, type ValueType } from './value-types.js';

/** Scale of a turnover in USDT. */
export const TURNOVER_SCALE = 8;
/** The rates of everybody whose turnover reaches no level. */
export const WHOLE_RATES: LevelRates = { makerPercent: 100, takerPercent: 100 };
const LEVELS_MAX = 10;
const TEXT_MAX = 250;
const LEVEL = /^([1-9]\d{0,11}):(0|[1-9]\d?|100):(0|[1-9]\d?|100)$/;

/** Parts of a pair's rates, in whole percent. */
export interface LevelRates {
  readonly makerPercent: number;
  readonly takerPercent: number;
}
export interface FeeLevel extends LevelRates {
  /** Units of USDT at TURNOVER_SCALE; a turnover from this on has the level. */
  readonly turnover: bigint;
}

/**
 * Levels by rising turnover; no rate rises with the level. @throws WrongValue
 */
export function readFeeLevels(given: string): readonly FeeLevel[] {
  if (given.length > TEXT_MAX) throw new WrongValue(`the levels have ${given.length} characters, not 0 to ${TEXT_MAX}`);
  const levels = given === '' ? [] : given.split(' ').map(levelOf);
  if (levels.length > LEVELS_MAX) throw new WrongValue(`the list has ${levels.length} levels, not 0 to ${LEVELS_MAX}`);
  for (const [index, level] of levels.entries()) {
    const before = levels[index - 1];
    if (!before) continue;
    if (level.turnover <= before.turnover)
      throw new WrongValue(`level ${index + 1} has no higher turnover than the one before`);
    if (level.makerPercent > before.makerPercent || level.takerPercent > before.takerPercent)
      throw new WrongValue(`level ${index + 1} has a higher rate than the one before`);
  }
  return levels;
}

function levelOf(given: string): FeeLevel {
  const [, turnover, maker, taker] = LEVEL.exec(given) ?? [];
  if (turnover === undefined) throw new WrongValue(`${given} is no turnover:percent:percent`);
  return { turnover: toUnits(turnover, TURNOVER_SCALE), makerPercent: Number(maker), takerPercent: Number(taker) };
}

/** Levels with one space between them: `50000:90:95 250000:80:90`; empty: all pay the rates of the pair. */
export const feeLevels: ValueType<readonly FeeLevel[]> = {
  name: 'text',
  bounds: { min: 0, max: TEXT_MAX, levels: LEVELS_MAX },
  read: readFeeLevels,
  write: (levels) =>
    levels
      .map(({ turnover, makerPercent, takerPercent }) =>
        [turnover / toUnits('1', TURNOVER_SCALE), makerPercent, takerPercent].join(':'),
      )
      .join(' '),
};

/** The number of the level that a turnover reaches; 0: none. */
export const levelAt = (levels: readonly FeeLevel[], turnover: bigint): number =>
  levels.filter((level) => turnover >= level.turnover).length;
