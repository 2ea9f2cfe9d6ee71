import { Injectable } from '@nestjs/common';
import { toDataPage, type DataPage } from '@bourse/contract';
import { Clock, Config, Refused, signedUpload, timeText, type Caller, type Page } from '@bourse/platform';
import { MessageTemplates } from '../../shared/application/message-templates.js';
import { PeopleFacts } from '../../shared/application/people-facts.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { KycCases, type KycCase, type KycFilter } from '../../shared/application/ports/kyc-cases.js';
import { People } from '../../shared/application/ports/people.js';
import { Seal } from '../../shared/application/ports/seal.js';
import { SessionEvents } from '../../shared/application/session-events.js';
import { actorOf, AuditLog } from '../../shared/application/audit-log.js';

/** Identity documents as operators see them; pictures are addresses that are valid for five minutes. */
export interface KycRow {
  readonly user_id: number;
  readonly account_number: string;
  readonly email: string;
  readonly phone: string;
  readonly nationality: string;
  readonly name: string;
  readonly card_id: string;
  /** Other accounts with the same id number. */
  readonly same_card: readonly number[];
  readonly front_pic: string;
  readonly reverse_pic: string;
  readonly hand_pic: string;
  readonly review_status: 0 | 1 | 2;
  readonly review_reason: string;
  readonly submitted_at: string;
  readonly decided_at: string;
}

/** The decision on identity documents: certified, or returned to the person with a reason [AUTH-142]. */
@Injectable()
export class KycReview {
  constructor(
    private readonly database: AuthDatabase,
    private readonly identities: KycCases,
    private readonly people: People,
    private readonly seal: Seal,
    private readonly letters: MessageTemplates,
    private readonly trail: AuditLog,
    private readonly news: SessionEvents,
    private readonly facts: PeopleFacts,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async list(filter: KycFilter, page: Page): Promise<DataPage<KycRow>> {
    const { total, rows } = await this.identities.list(this.database, filter, page);
    return toDataPage({ rows: await Promise.all(rows.map((row) => this.shown(row))), total }, page, (row) => row);
  }

  /**
   * `submittedAt`: the time of the documents that the operator saw, as `list` answered it. Throws `common.notFound`,
   * `kyc.state` for documents that are not under review, or that were submitted after the seen ones: those may have
   * been returned by somebody else, and nobody has looked at the new ones [AUTH-222].
   */
  async decide(
    operator: Caller,
    userId: number,
    { pass, submittedAt }: { readonly pass: boolean; readonly submittedAt: string | undefined },
    reason: string,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const person = await this.people.byId(tx, userId);
      if (!person) throw new Refused('common.notFound', {}, { field: 'user_id' });
      if (!(await this.identities.decide(tx, userId, { pass, reason }, this.clock.now())))
        throw new Refused('kyc.state', {}, { field: 'user_id' });
      // The decision has locked the account, so that nothing else is submitted from here on.
      if (submittedAt !== undefined && timeText(await this.identities.submittedAt(tx, userId)) !== submittedAt)
        throw new Refused('kyc.state', {}, { field: 'submitted_at' });
      if (pass) await this.facts.certified(tx, userId, this.clock.now());
      await this.letters.notify(tx, person, pass ? 'kycPassed' : 'kycRefused', { reason });
      this.trail.record(tx, actorOf(operator), {
        action: 'kyc.decide',
        target: `user:${userId}`,
        reason,
        before: { review_status: 1 },
        after: { review_status: pass ? 2 : 0 },
      });
    });
    await this.news.sessionsEnded(userId, []);
  }

  private async shown(row: KycCase): Promise<KycRow> {
    const link = (name: string): string => signedUpload(this.config.internalSecret, name, this.clock.real());
    const cardId = row.cardSealed === '' ? '' : this.seal.open('card', row.cardSealed);
    return {
      user_id: row.userId,
      account_number: row.accountNumber,
      email: row.email,
      phone: row.phone,
      nationality: row.nationality,
      name: row.name,
      card_id: cardId,
      same_card: await this.identities.sameCard(this.database, row.userId, cardId),
      front_pic: link(row.frontPic),
      reverse_pic: link(row.reversePic),
      hand_pic: link(row.handPic),
      review_status: row.reviewStatus,
      review_reason: row.reviewReason,
      submitted_at: timeText(row.submittedAt),
      decided_at: timeText(row.decidedAt),
    };
  }
}
