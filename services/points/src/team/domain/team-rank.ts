import { TEAM_RANKS } from '@bourse/formulas';

/** 0 member, 1 partner, and on to 4. */
export type Rank = 0 | 1 | 2 | 3 | 4;

/** Scale of the value of deposits, US dollars. */
export const USD_SCALE = 8;
const usd = (whole: number): bigint => BigInt(whole) * 10n ** BigInt(USD_SCALE);

/** The requirements of each rank (rules §11), the highest first. */
const RANKS = TEAM_RANKS.map(({ topUp, ...needs }) => ({ ...needs, topUp: usd(topUp) })).toReversed();

/** The figures of a team: certified direct members, certified members in all, and the deposits of all. */
export interface TeamFigures {
  readonly direct: number;
  readonly team: number;
  /** At USD_SCALE. */
  readonly topUp: bigint;
}

/** The rank that these figures reach [TEAM-012]. */
export const rankOf = ({ direct, team, topUp }: TeamFigures): Rank =>
  RANKS.find((one) => direct >= one.direct && team >= one.team && topUp >= one.topUp)?.rank ?? 0;
