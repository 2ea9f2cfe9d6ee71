import { PERCENT_SCALE, percent } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import { decimal, defineSetting, integer, list, type SettingRule } from '@bourse/settings';

/** Settings that operators change at run time (rules §15). A position keeps the terms of its opening. */
const rate = (max: string, min = '0') => decimal({ scale: PERCENT_SCALE, min, max });

export const LEVERAGES = defineSetting(
  'lever.muit',
  list(integer({ min: 1, max: 100 }), { min: 1, max: 20 }),
  [5, 10, 20, 50, 100],
  'Multiples that a position may be opened with.',
  { guarded: true },
);
export const CONTRACT_PRESETS = defineSetting(
  'lever.share_presets',
  list(integer({ min: 1, max: 1_000_000 }), { min: 0, max: 20 }),
  [1, 5, 10, 50],
  'Numbers of contracts that the ticket proposes.',
  { guarded: false },
);
export const TRADE_FEE = defineSetting(
  'lever.trade_fee',
  rate('5'),
  percent('0.05'),
  'Fee on the contract value of a new position, percent.',
  { guarded: true },
);
export const SPREAD = defineSetting(
  'lever.spread',
  rate('5'),
  percent('0.1'),
  'How far the opening price lies from the mark price, percent.',
  { guarded: true },
);
export const OVERNIGHT = defineSetting(
  'lever.overnight',
  rate('1'),
  percent('0.001'),
  'Fee on the value of each position that is open at 00:00 UTC, percent.',
  { guarded: true },
);
export const CONTRACTS_MIN = defineSetting(
  'lever.share_min',
  integer({ min: 1, max: 1_000 }),
  1,
  'The fewest contracts of a position.',
  { guarded: true },
);
export const CONTRACTS_MAX = defineSetting(
  'lever.share_max',
  integer({ min: 0, max: 10_000 }),
  1_000,
  'The most contracts of a position; 0: no limit.',
  { guarded: true },
);
export const LIQUIDATION_RATE = defineSetting(
  'lever.burst_rate',
  rate('200', '105'),
  percent('110'),
  'Risk rate at which all positions of a quote are liquidated, percent; positions keep the one they were opened with.',
  { guarded: true },
);
export const OPEN_RATE = defineSetting(
  'lever.open_rate',
  rate('300', '110'),
  percent('120'),
  'Risk rate that must be left once a position is open, percent.',
  { guarded: true },
);
export const TRANSFER_RATE = defineSetting(
  'lever.transfer_rate',
  rate('500', '120'),
  percent('150'),
  'Risk rate that must be left when money is moved out while positions are open, percent.',
  { guarded: true },
);
export const HOUSE_COVER = defineSetting(
  'lever.house_cover',
  rate('100', '10'),
  percent('20'),
  'How much of the open notional the house must have in its leverage account, percent.',
  { guarded: true },
);

export const MAX_POSITIONS = defineSetting(
  'lever.max_positions',
  integer({ min: 1, max: 1_000 }),
  100,
  'The most positions and pending orders of a person in a quote.',
  { guarded: true },
);
/** Decimals of an amount of USDT in a setting. */
export const USDT_SCALE = 8;
export const MIN_VALUE = defineSetting(
  'lever.min_value',
  decimal({ scale: USDT_SCALE, min: '0', max: '1000' }),
  toUnits('10', USDT_SCALE),
  'The least contract value of a position, in USDT.',
  { guarded: true },
);

export const LEVER_SETTINGS = [
  LEVERAGES,
  CONTRACT_PRESETS,
  TRADE_FEE,
  SPREAD,
  OVERNIGHT,
  CONTRACTS_MIN,
  CONTRACTS_MAX,
  LIQUIDATION_RATE,
  OPEN_RATE,
  TRANSFER_RATE,
  HOUSE_COVER,
  MAX_POSITIONS,
  MIN_VALUE,
] as const;

export const LEVER_RULES: readonly SettingRule[] = [
  {
    says: 'the rate that opens lies above the one that liquidates, and below the one that lets money out',
    holds: (get) => get(LIQUIDATION_RATE) < get(OPEN_RATE) && get(OPEN_RATE) <= get(TRANSFER_RATE),
  },
  {
    says: 'the most contracts are not fewer than the fewest',
    holds: (get) => get(CONTRACTS_MAX) === 0 || get(CONTRACTS_MAX) >= get(CONTRACTS_MIN),
  },
];
