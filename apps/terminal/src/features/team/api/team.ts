import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { keys, nextPage } from '@bourse/api-client';
import type { TeamTree } from '@bourse/contract';
import { api, queryClient } from '../../../core/api.js';
import { merged, treeOf, type Team } from '../model/tree.js';

const teamKeys = { team: [...keys.user, 'team'], profits: [...keys.user, 'profits'] } as const;

export interface OwnTeam {
  readonly figures: TeamTree['show_message'];
  readonly team: Team;
}

const read = async (fields: { user_id?: number; after?: number }): Promise<TeamTree> =>
  (await api.post('/api/getNode', fields, { quiet: true })).message;

/** The person's own team: its figures, and as much of its tree as one answer holds. */
export const useTeam = () =>
  useQuery({
    queryKey: teamKeys.team,
    staleTime: 60_000,
    queryFn: async (): Promise<OwnTeam> => {
      const { show_message: figures, results } = await read({});
      return { figures, team: treeOf(results) };
    },
  });

/**
 * Reads what is not there yet of those whom a member has invited (the person where none is named), and adds it to the
 * tree.
 */
export async function readMembers(of: number | undefined, after: number | undefined): Promise<void> {
  const { results } = await read({
    ...(of === undefined ? {} : { user_id: of }),
    ...(after === undefined ? {} : { after }),
  });
  queryClient.setQueryData<OwnTeam>(teamKeys.team, (held) => held && { ...held, team: merged(held.team, of, results) });
}

/** Rebates, newest first, page after page. */
export const useProfits = () =>
  useInfiniteQuery({
    queryKey: teamKeys.profits,
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) =>
      (await api.get('/api/profits/show_profits', { page }, { quiet: true })).message,
    getNextPageParam: nextPage,
  });
