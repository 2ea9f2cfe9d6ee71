import { useLocation } from 'react-router-dom';
import { useLeave } from './use-leave.js';

/** Kept in the history state of a screen that a link led to: the former screen, and what was kept there. */
export interface WayBack {
  readonly from: string;
  readonly then: unknown;
}

/** History state for a screen that leads back here once it is done. */
export const wayBackTo = (here: { pathname: string; search: string; state: unknown }): WayBack => ({
  from: `${here.pathname}${here.search}`,
  then: here.state,
});

/** Reads a way back; only addresses of ours count. */
export function wayBackIn(state: unknown): WayBack | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state) || typeof state.from !== 'string')
    return undefined;
  return /^\/(?!\/)/.test(state.from)
    ? { from: state.from, then: 'then' in state ? state.then : undefined }
    : undefined;
}

/** Leads back to where the person was; without such a place to `otherwise`. `known`: whether there is one. */
export function useWayBack(otherwise: string): { known: boolean; goBack: () => Promise<void> } {
  const leave = useLeave();
  const { state } = useLocation() as { state: unknown };
  const back = wayBackIn(state);
  return {
    known: back !== undefined,
    goBack: () => leave(back?.from ?? otherwise, { replace: true, state: back?.then }),
  };
}
