import { Injectable } from '@nestjs/common';
import { OwnUploads } from '@bourse/messaging';
import { Refused, type CallContext, type Notice } from '@bourse/platform';
import { AcceptorSteps } from './acceptor-steps.js';

/** What people do with their own deals with acceptors (rules §7). */
@Injectable()
export class AcceptorCustomers {
  constructor(
    private readonly steps: AcceptorSteps,
    private readonly uploads: OwnUploads,
  ) {}

  confirm(userId: number, fields: { readonly id: string }, context: CallContext): Promise<Notice> {
    return this.steps.end('acceptor.confirmed', context, () =>
      Promise.resolve({ id: fields.id, actor: { userId }, action: 'receive', givenBy: context }),
    );
  }
  cancel(userId: number, fields: { readonly id: string }, context: CallContext): Promise<Notice> {
    return this.steps.end('acceptor.cancelled', context, () =>
      Promise.resolve({ id: fields.id, actor: { userId }, action: 'cancel' }),
    );
  }
  /** @throws Refused `upload.required` when a picture is named that is not this person's. */
  object(
    userId: number,
    fields: { readonly id: string; readonly reason: string; readonly pic?: string | undefined },
    context: CallContext,
  ): Promise<Notice> {
    return this.steps.go('acceptor.objected', context, async () => {
      const { id, reason, pic } = fields;
      const evidence = pic === undefined ? '' : await this.uploads.own(userId, 'evidence', pic);
      if (evidence === null) throw new Refused('upload.required', {}, { field: 'pic' });
      return { id, actor: { userId }, action: 'object', facts: { reason, evidence } };
    });
  }
}
