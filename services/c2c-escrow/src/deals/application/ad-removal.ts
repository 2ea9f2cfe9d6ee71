import { Injectable } from '@nestjs/common';
import { TOPICS, userNotices } from '@bourse/events';
import { Clock, Notice, type Caller } from '@bourse/platform';
import { recordChange } from '@bourse/settings';
import { AdCommands } from './ad-commands.js';
import { toAdRemovedNotice } from './notices.js';
import { C2cDatabase } from '../../shared/application/database.js';

const SERVICE = 'c2c-escrow';

/** Removes an ad for an operator (api §2.12): the remainder goes back to its owner, its deals continue. */
@Injectable()
export class AdRemoval {
  constructor(
    private readonly database: C2cDatabase,
    private readonly ads: AdCommands,
    private readonly clock: Clock,
  ) {}

  /** @throws Refused `common.notFound`, `c2c.state` */
  removeAd(adId: number, reason: string, operator: Caller): Promise<Notice> {
    return this.database.transaction(async (tx) => {
      const { before, after } = await this.ads.withdrawByOperator(tx, adId);
      const at = this.clock.now();
      tx.emit(TOPICS.userNotices, 0, userNotices([toAdRemovedNotice(before, reason, at)]));
      recordChange(tx, {
        service: SERVICE,
        action: 'c2c_ads/off',
        target: `ad ${adId} of ${before.ownerId}`,
        subjects: [before.ownerId],
        before: { state: before.state, surplus: String(before.surplus) },
        after: { state: after.state, surplus: String(after.surplus) },
        by: { operatorId: operator.userId, operator: operator.accountNumber, reason },
        at,
      });
      return new Notice('c2c.withdrawn');
    });
  }
}
