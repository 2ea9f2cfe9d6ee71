import { Injectable } from '@nestjs/common';
import { OwnUploads } from '@bourse/messaging';
import { Clock, Refused, type Caller } from '@bourse/platform';
import { OwnChange } from '../../shared/application/own-change.js';
import { KycCases } from '../../shared/application/ports/kyc-cases.js';
import { SessionEvents } from '../../shared/application/session-events.js';

export interface IdentityRequest {
  readonly name: string;
  readonly cardId: string;
  readonly frontPic: string | undefined;
  readonly reversePic: string | undefined;
  readonly handPic: string | undefined;
}

/** Submission of identity documents (rules §12.5) [AUTH-140]. */
@Injectable()
export class KycSubmission {
  constructor(
    private readonly ownChange: OwnChange,
    private readonly identities: KycCases,
    private readonly uploads: OwnUploads,
    private readonly news: SessionEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Review status 0 → 1. Throws `kyc.photoRequired`, then `kyc.state` when documents are under review or were accepted,
   * and what `OwnChange` throws.
   */
  async submit(caller: Caller, { name, cardId, frontPic, reversePic, handPic }: IdentityRequest): Promise<void> {
    const front = await this.picture(caller.userId, 'front_pic', frontPic);
    const reverse = await this.picture(caller.userId, 'reverse_pic', reversePic);
    const hand = handPic === undefined ? '' : await this.picture(caller.userId, 'hand_pic', handPic);
    const papers = {
      name,
      cardId,
      frontPic: front,
      reversePic: reverse,
      handPic: hand,
    };
    const submitted = await this.ownChange.execute(caller, (tx) =>
      this.identities.submit(tx, caller.userId, papers, this.clock.now()),
    );
    if (!submitted) throw new Refused('kyc.state');
    await this.news.sessionsEnded(caller.userId, []);
  }

  private async picture(userId: number, field: string, address: string | undefined): Promise<string> {
    const name = await this.uploads.own(userId, 'kyc', address);
    if (name === null) throw new Refused('kyc.photoRequired', {}, { field });
    return name;
  }
}
