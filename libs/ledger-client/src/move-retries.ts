import type { Logger } from '@nestjs/common';
import { LedgerCommandV1, TOPICS, type LedgerResult } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import type { MoveNote } from './saga-steps.js';
import type { SagasParts } from './saga-spec.js';

/** A postponed move is sent again after this long at the latest. */
const RETRY_INTERVAL_MAX_SECONDS = 60;
const RETRIES_PER_ROUND = 100;
/** A result that takes longer than this raises an alarm; on an idle exchange it takes milliseconds. */
const LATE_MS = 60_000;

/** Moves out of holds that the ledger has refused: they are sent again until they are booked (architecture §7). */
export class MoveRetries {
  private isPolling = false;

  constructor(
    private readonly parts: SagasParts,
    private readonly logger: Logger,
  ) {}

  /** A move must not be refused: it is retried, and an alarm is raised (architecture §7). */
  async postpone(tx: Tx, { saga, object, refusal }: LedgerResult): Promise<void> {
    const tries = await this.parts.database.tables.sagas.postpone(tx, saga, object, RETRY_INTERVAL_MAX_SECONDS);
    if (tries > 0) this.logger.warn(`${saga} ${object} was refused (${refusal?.key ?? 'no reason'}), try ${tries}`);
  }

  /** Sends postponed moves again, and raises an alarm for what takes too long. */
  async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    const { database, alarms, service } = this.parts;
    try {
      const { count, oldestMs, postponed, postponedNames } = await database.tables.sagas.underWay();
      if (postponed > 0) {
        await this.sendDueAgain();
        const isMore = postponed > postponedNames.length;
        alarms.raise(
          `saga:${service}`,
          `${postponed} moves out of holds are refused and tried again: ` +
            [...postponedNames, ...(isMore ? ['others'] : [])].join(', '),
        );
      } else if (oldestMs > LATE_MS)
        alarms.raise(`saga:${service}`, `${count} objects wait for the ledger, the oldest for more than a minute`);
      else alarms.clear(`saga:${service}`);
    } catch (error) {
      this.logger.warn(`sagas of ${service} could not be read: ${(error as Error).message}`);
    } finally {
      this.isPolling = false;
    }
  }

  private sendDueAgain(): Promise<void> {
    const { database } = this.parts;
    return database.transaction(async (tx) => {
      for (const { name, object, note } of await database.tables.sagas.takeDue(tx, RETRIES_PER_ROUND)) {
        const { partition, body } = JSON.parse(note ?? 'null') as MoveNote;
        tx.emit(TOPICS.ledgerCommands, partition, LedgerCommandV1.encode(body as never));
        this.logger.log(`${name} ${object} is sent again`);
      }
    });
  }
}
