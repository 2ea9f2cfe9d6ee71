import { LedgerCommandV1, ledgerPartition, SpotModeV1, TOPICS } from '@bourse/events';
import type { SimulatedDesk } from '@bourse/ledger-client';
import type { Log } from '@bourse/messaging';
import { Notice } from '@bourse/platform';
import { marketsOf } from './markets.js';

/** In some runs an operator lets one market take cancels only for a while. */
export async function operateMarket(desk: SimulatedDesk<{ readonly log: Log }>): Promise<void> {
  const { random, operator, config } = desk;
  if (random.chance(0.6)) return;
  const market = random.pick(marketsOf(desk));
  for (const mode of ['cancel_only', 'normal'] as const) {
    await desk.pause(random.between(500, desk.loadMs / 2));
    const change = SpotModeV1.encode({ symbol: market.symbol, mode, requestedAt: 0 });
    const message = LedgerCommandV1.encode({
      issuer: 'spot-matching',
      userId: operator,
      journals: [],
      forward: { topic: TOPICS.spotCommands, partition: market.partition, message: change },
    });
    const partition = ledgerPartition(operator, config.ledgerPartitions);
    await desk.call(({ log }) => log.send(TOPICS.ledgerCommands, partition, message).then(() => new Notice('mode')));
  }
}
