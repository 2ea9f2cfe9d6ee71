import { percent, PERCENT_SCALE } from '@bourse/formulas';
import type { Units } from '@bourse/money';
import { decimal, defineSetting, type SettingRule } from '@bourse/settings';

/* What operators change while the exchange runs (rules §15). A fee keeps the percentages that it came under. */

/** Of all generations together. */
const REBATES_MAX = percent('60');
const share = decimal({ scale: PERCENT_SCALE, min: '0', max: '60' });
const ofGeneration = (generation: 1 | 2 | 3, value: string, who: string) =>
  defineSetting(
    `team_rebate_${generation}`,
    share,
    percent(value) as Units,
    `Percent of a fee that goes to ${who} of whoever pays it.`,
    { guarded: true },
  );

/** At PERCENT_SCALE, by generation. */
export const TEAM_REBATES = [
  ofGeneration(1, '20', 'the inviter'),
  ofGeneration(2, '10', 'the inviter of the inviter'),
  ofGeneration(3, '5', 'the third person in the line'),
] as const;

export const REBATE_RULES: readonly SettingRule[] = [
  {
    says: 'The rebates of a fee are together at most 60 percent of it.',
    holds: (get) => TEAM_REBATES.reduce((sum, setting) => sum + get(setting), 0n) <= REBATES_MAX,
  },
];
