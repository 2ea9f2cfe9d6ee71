import { Body, Controller, Query } from '@nestjs/common';
import { appeal, type Appeal } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  message,
  notice,
  type CallContext,
  type Caller,
  type Notice,
} from '@bourse/platform';
import { Appeals } from '../application/appeals.js';
import { AppealBody, DealQuery, EvidenceBody } from './fields.js';

/** Appeals of the two sides of a deal (api §2.7). */
@Controller()
export class AppealsController {
  constructor(private readonly appeals: Appeals) {}

  @Call(
    {
      method: 'POST',
      path: '/api/c2c/appeal',
      auth: 'user',
      money: true,
      movesNothing: true,
      rate: 'c2c',
      apiKey: 'none',
    },
    {
      summary: 'Appeal an own deal, so that support decides',
      answer: notice(['c2c.appealOpened', 'c2c.appealRecorded'], { appeal }),
      refuses: ['common.notFound', 'c2c.appealOpen', 'c2c.appealWindow', 'upload.required'],
    },
  )
  open(@Body() fields: AppealBody, @CurrentCaller() caller: Caller, @Context() context: CallContext): Promise<Notice> {
    return this.appeals.open(caller.userId, fields, context);
  }

  @Call(
    { method: 'GET', path: '/api/c2c/appeal', auth: 'user', rate: 'read', apiKey: 'none' },
    { summary: 'The last appeal of an own deal', answer: message(appeal), refuses: ['common.notFound'] },
  )
  find(@Query() { id }: DealQuery, @CurrentCaller() caller: Caller, @Context() { lang }: CallContext): Promise<Appeal> {
    return this.appeals.find(caller.userId, id, lang);
  }

  @Call(
    { method: 'POST', path: '/api/c2c/appeal_evidence', auth: 'user', rate: 'c2c', apiKey: 'none' },
    {
      summary: 'Add a text or a picture to the open appeal of an own deal',
      answer: message(appeal),
      refuses: ['common.fieldRequired', 'common.notFound', 'upload.required', 'c2c.state', 'c2c.evidenceMax'],
    },
  )
  addEvidence(
    @Body() fields: EvidenceBody,
    @CurrentCaller() caller: Caller,
    @Context() { lang }: CallContext,
  ): Promise<Appeal> {
    return this.appeals.addEvidence(caller.userId, fields, lang);
  }

  @Call(
    { method: 'POST', path: '/api/c2c/appeal_cancel', auth: 'user', rate: 'c2c', apiKey: 'none' },
    {
      summary: 'Withdraw an own open appeal',
      answer: message(appeal),
      refuses: ['common.notFound', 'c2c.state'],
    },
  )
  withdraw(
    @Body() { id }: DealQuery,
    @CurrentCaller() caller: Caller,
    @Context() { lang }: CallContext,
  ): Promise<Appeal> {
    return this.appeals.withdraw(caller.userId, id, lang);
  }
}
