import type { MessageOf } from '@bourse/contract';

/** Modes of a breaker, from open to closed. */
export const MODES = ['normal', 'cancel_only', 'halted'] as const;
export type Mode = (typeof MODES)[number];

/**
 * The state of all scopes: the mode furthest from open, and whether it is the mode of a part only. The exchange lists
 * each scope, and none that stands for all of them.
 */
export function modeOfAll(modes: Iterable<string>): { readonly mode: Mode; readonly partly: boolean } {
  const known = [...modes].map((mode) => MODES.findIndex((one) => one === mode)).filter((rank) => rank >= 0);
  const worst = Math.max(0, ...known);
  return { mode: MODES[worst] ?? 'normal', partly: known.some((rank) => rank !== worst) };
}

/** The answer of `GET /api/admin/partitions` (api §2.12). */
export type MarketPartitions = MessageOf<'GET /api/admin/partitions'>;

/** The markets of each partition by name; one without markets is there too, because markets can be moved to it. */
export const byPartition = ({
  partitions,
  markets,
}: MarketPartitions): readonly { readonly partition: number; readonly symbols: readonly string[] }[] =>
  Array.from({ length: partitions }, (_, partition) => ({
    partition,
    symbols: markets
      .filter((market) => market.partition === partition)
      .map(({ symbol }) => symbol)
      .sort(),
  }));
