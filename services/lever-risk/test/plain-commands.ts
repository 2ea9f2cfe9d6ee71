import type { Command, Commands } from '@bourse/ledger-client';

/** Runs commands in a given transaction, without claims, answers and the ledger. */
export const plainCommands = (
  transaction: <T>(work: (tx: never) => Promise<T>) => Promise<T> = (work) => work({} as never),
): Commands =>
  ({
    run: async (_context: unknown, { prepare, decide, abandon }: Command<unknown>) => {
      const prepared = await prepare?.();
      try {
        return await transaction(async (tx) => decide(tx, prepared));
      } catch (error) {
        await abandon?.(prepared);
        throw error;
      }
    },
  }) as unknown as Commands;
