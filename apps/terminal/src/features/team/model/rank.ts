import type { TeamTree } from '@bourse/contract';
import { TEAM_RANKS } from '@bourse/formulas';
import { compareDecimals } from '@bourse/money';

/** One thing that the next rank asks for. */
export interface Need {
  readonly what: 'direct' | 'team' | 'topUp';
  /** Decimal texts. */
  readonly have: string;
  readonly needed: string;
  readonly met: boolean;
}

/** The requirements of the next rank and what is met of them; undefined at the highest (rules §11). */
export function nextRank({
  rank,
  direct,
  real_teamnumber: team,
  top_upnumber: topUp,
}: TeamTree['show_message']): { readonly rank: number; readonly needs: readonly Need[] } | undefined {
  const next = TEAM_RANKS.find((one) => one.rank === rank + 1);
  if (!next) return undefined;
  const need = (what: Need['what'], have: string, needed: number): Need => ({
    what,
    have,
    needed: String(needed),
    met: compareDecimals(have, String(needed)) >= 0,
  });
  return {
    rank: next.rank,
    needs: [
      need('direct', String(direct), next.direct),
      need('team', String(team), next.team),
      need('topUp', topUp, next.topUp),
    ].filter(({ needed }) => needed !== '0'),
  };
}
