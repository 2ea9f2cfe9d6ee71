import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { TOPICS, WithdrawalPlaceV1, type WithdrawalPlace } from '@bourse/events';
import { bodies, type MessageBody } from '@bourse/messaging';
import { Currencies } from '../../../ledger/application/currencies.js';
import { UseCaseDatabase } from '../../../ledger/application/use-case-database.js';
import { Prices } from '../../shared/application/prices.js';
import { OpenWithdrawals } from '../application/open-withdrawals.js';

/** Opens the withdrawals that the ledger has held, one after the other. */
@Controller()
export class WithdrawalsController {
  constructor(private readonly opening: OpenWithdrawals) {}

  /** A withdrawal needs its value, so nothing is opened before market-data has published prices; these may be stale. */
  @EventPattern(
    TOPICS.walletCommands,
    bodies(WithdrawalPlaceV1, {
      consumer: 'wallet.withdrawals',
      database: UseCaseDatabase,
      after: [Currencies, Prices],
    }),
  )
  open(@Payload() { body, tx }: MessageBody<WithdrawalPlace>): Promise<void> {
    return this.opening.take(body, tx);
  }
}
