import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { TOPICS } from '@bourse/events';
import { ownedPartitions, type OwnedPartition } from '@bourse/messaging';
import { Currencies } from '../../application/currencies.js';
import { LedgerWriter } from '../../application/writer/writer.js';
import { LedgerDatabase } from '../persistence/ledger-database.js';

/** Passes the partitions of commands that this process owns to the writer. */
@Controller()
export class LedgerCommandsController {
  constructor(private readonly writer: LedgerWriter) {}

  @EventPattern(
    TOPICS.ledgerCommands,
    ownedPartitions({ consumer: 'ledger.writer', database: LedgerDatabase, after: [Currencies], rests: true }),
  )
  write(@Payload() owned: OwnedPartition): Promise<void> {
    return this.writer.run(owned);
  }
}
