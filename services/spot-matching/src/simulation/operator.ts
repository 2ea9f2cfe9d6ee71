import {
  LedgerCommandV1,
  ledgerPartition,
  SpotAdoptV1,
  SpotModeV1,
  SpotMoveV1,
  TOPICS,
  type Message,
} from '@bourse/events';
import type { SimulatedOperator } from '@bourse/ledger-client';
import type { Log } from '@bourse/messaging';
import type { OutboxRow } from '@bourse/persistence';
import { Notice } from '@bourse/platform';
import type { ListedMarket, Markets } from '../application/markets.js';
import { marketsOf } from './markets.js';

type Desk = SimulatedOperator<{ readonly log: Log; readonly markets: Markets }>;

/** An operator's actions on the markets while people trade. */
export async function operateMarkets(desk: Desk): Promise<void> {
  await Promise.all([stopMarket(desk), moveMarkets(desk)]);
}

/** In some runs an operator sets one market cancel-only for a while. */
async function stopMarket(desk: Desk): Promise<void> {
  const { random } = desk;
  if (random.chance(0.6)) return;
  const market = random.pick(marketsOf(desk));
  for (const mode of ['cancel_only', 'normal'] as const) {
    await desk.pause(random.between(500, desk.loadMs / 2));
    await send(desk, market, SpotModeV1.encode({ symbol: market.symbol, mode, requestedAt: 0 }));
  }
}

/** With several partitions, markets move from one to another, some of them back and on again. */
async function moveMarkets(desk: Desk): Promise<void> {
  const { random } = desk;
  const markets = marketsOf(desk);
  const partitions = 1 + Math.max(...markets.map(({ partition }) => partition));
  if (partitions === 1 || random.chance(0.3)) return;
  for (let moves = 1 + random.int(6); moves > 0; moves -= 1) {
    // Some moves follow at once: commands in flight are then passed on twice.
    await desk.pause(random.chance(0.3) ? random.between(0, 20) : random.between(20, desk.loadMs / 3));
    const market = random.pick(markets);
    const to = random.int(partitions);
    await send(desk, market, SpotMoveV1.encode({ symbol: market.symbol, to, requestedAt: 0 }));
  }
}

async function send(desk: Desk, market: ListedMarket, change: Message): Promise<void> {
  const { operator, config } = desk;
  const through = ledgerPartition(operator, config.ledgerPartitions);
  await desk.call(({ log, markets }) => {
    const message = LedgerCommandV1.encode({
      issuer: 'spot-matching',
      userId: operator,
      journals: [],
      forward: { topic: TOPICS.spotCommands, partition: markets.partitionOf(market), message: change },
    });
    return log.send(TOPICS.ledgerCommands, through, message).then(() => new Notice('market'));
  });
}

/** Number of market moves, and of commands that were passed on to a market's new partition. */
export function movesIn(outbox: readonly OutboxRow[]): Readonly<Record<string, number>> {
  const passed = outbox
    .filter(({ topic }) => topic === TOPICS.spotCommands)
    .flatMap(({ payload }) => JSON.parse(payload) as Message[]);
  const moves = passed.filter(({ type }) => type === SpotAdoptV1.name).length;
  return { 'moves of markets': moves, 'commands passed on': passed.length - moves };
}
