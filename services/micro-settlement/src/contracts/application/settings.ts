import { PERCENT_SCALE } from '@bourse/formulas';
import type { Units } from '@bourse/money';
import { decimal, defineSetting, integer, list, type Setting, type SettingRule } from '@bourse/settings';
import { AMOUNT_SCALE } from '../../shared/application/amounts.js';
import { MICRO_TICK_DAYS } from '../../ticks/application/settings.js';

const amount = (min: string, max: string) => decimal({ scale: AMOUNT_SCALE, min, max });
const whole = (value: number): Units => (BigInt(value) * 10n ** BigInt(AMOUNT_SCALE)) as Units;

/* Settings that operators change while the exchange runs (rules §15). A contract keeps its agreed terms. */

export const MICRO_TRADE_FEE = defineSetting(
  'micro_trade_fee',
  decimal({ scale: PERCENT_SCALE, max: '5' }),
  200_000n as Units,
  'Fee of a seconds contract in percent of the stake.',
  { guarded: true },
);
export const MICRO_MAX_OPEN = defineSetting(
  'micro_max_open',
  integer({ min: 1, max: 100 }),
  10,
  'Seconds contracts that one person may have running.',
  { guarded: true },
);
export const MICRO_MARKET_CAP = defineSetting(
  'micro_market_cap',
  amount('1', '100000'),
  whole(50_000),
  'The most that the house may owe for running seconds contracts of one market, in each coin.',
  { guarded: true },
);
/** The limits of stakes in one coin. */
export interface CoinSettings {
  readonly name: string;
  readonly numbers: Setting<readonly Units[]>;
  readonly min: Setting<Units>;
  readonly max: Setting<Units>;
}
const coin = (name: string, numbers: readonly number[], min: number, max: number): CoinSettings => ({
  name,
  numbers: defineSetting(
    `micro_numbers.${name}`,
    list(amount('0.01', '10000'), { min: 1, max: 12 }),
    numbers.map(whole),
    `Stakes in ${name} that the ticket offers.`,
    { guarded: false },
  ),
  min: defineSetting(
    `micro_min.${name}`,
    amount(String(min / 10), String(min * 10)),
    whole(min),
    `The least stake in ${name}.`,
    { guarded: true },
  ),
  max: defineSetting(
    `micro_max.${name}`,
    amount(String(max / 10), String(max * 2)),
    whole(max),
    `The largest stake in ${name}.`,
    { guarded: true },
  ),
});
/** Coins that stakes can be made in, if the catalog lets them into the micro account. */
export const COINS: readonly CoinSettings[] = [
  coin('USDT', [10, 20, 50, 100, 200, 500], 10, 5_000),
  coin('HAP', [1, 2, 5, 10, 20, 50, 100], 1, 5_000),
];

export const MICRO_SETTINGS = [
  MICRO_TRADE_FEE,
  MICRO_MAX_OPEN,
  MICRO_MARKET_CAP,
  MICRO_TICK_DAYS,
  ...COINS.flatMap(({ numbers, min, max }) => [numbers, min, max]),
];
export const MICRO_RULES: readonly SettingRule[] = COINS.map(({ name, min, max }) => ({
  says: `The least stake in ${name} is not above the largest.`,
  holds: (get) => get(min) <= get(max),
}));
