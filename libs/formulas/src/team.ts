/** The requirements of a team rank: certified direct members, certified members in all, deposits in USD (rules §11). */
export interface RankNeeds {
  readonly rank: 1 | 2 | 3 | 4;
  readonly direct: number;
  readonly team: number;
  /** Whole US dollars. */
  readonly topUp: number;
}

/** The ranks above a plain member, the lowest first (rules §11). */
export const TEAM_RANKS: readonly RankNeeds[] = [
  { rank: 1, direct: 3, team: 0, topUp: 0 },
  { rank: 2, direct: 5, team: 20, topUp: 10_000 },
  { rank: 3, direct: 10, team: 100, topUp: 100_000 },
  { rank: 4, direct: 20, team: 500, topUp: 1_000_000 },
];
