import { Injectable } from '@nestjs/common';
import { withoutHiddenCharacters, type Complaint as ComplaintView } from '@bourse/contract';
import { Clock, Config, signedUpload, timeText } from '@bourse/platform';
import type { Complaint, ComplaintMessage } from '../domain/complaint.js';

/** A complaint as support sees it. */
export interface ReviewedComplaint extends ComplaintView {
  readonly user_id: number;
  readonly lang: string;
}

/** Complaints as both sides read them; addresses of pictures are signed for the reader. */
@Injectable()
export class ComplaintViews {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  shown(complaint: Complaint): ComplaintView {
    const { id, kind, subject, about, state, createdAt, updatedAt, unread } = complaint;
    const times = { create_time: timeText(createdAt), update_time: timeText(updatedAt) };
    return { id, kind, subject: withoutHiddenCharacters(subject), about, state, ...times, unread };
  }
  reviewed(complaint: Complaint): ReviewedComplaint {
    return { ...this.shown(complaint), user_id: complaint.userId, lang: complaint.lang };
  }

  messages(messages: readonly ComplaintMessage[]): NonNullable<ComplaintView['messages']> {
    const now = this.clock.real();
    return messages.map(({ from, text, images, at }) => ({
      from: from === 'user' ? 'me' : 'support',
      text: withoutHiddenCharacters(text),
      images: images.map((name) => signedUpload(this.config.internalSecret, name, now)),
      create_time: timeText(at),
    }));
  }
}
