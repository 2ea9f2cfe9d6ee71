import { create } from 'zustand';

/**
 * Whether calls reach the exchange, and how long a round trip takes. The status bar shows it; network failures make no
 * toasts.
 */
export const useReach = create<{ reached: boolean; latencyMs: number | undefined }>()(() => ({
  reached: true,
  latencyMs: undefined,
}));

export function noteReach(reached: boolean, tookMs: number): void {
  useReach.setState(reached ? { reached, latencyMs: tookMs } : { reached });
}
