import { Body, Controller, Param, Query } from '@nestjs/common';
import { appeal, chatLine, decimalText, flag, timeText, type DataPage } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  dataPage,
  idReader,
  message,
  notice,
  type CallContext,
  type Caller,
  type Notice,
} from '@bourse/platform';
import * as z from 'zod/mini';
import { AppealDecisions } from '../application/decisions.js';
import { AppealAdmin, type AppealFile, type ReviewedAppeal } from '../application/admin.js';
import { AdminAppealsQuery, AssignBody, DecideBody, NoteBody } from './fields.js';

const ID = idReader({});

const reviewedAppeal = z.extend(appeal, {
  buyer_id: z.int(),
  seller_id: z.int(),
  is_sure: z.literal([0, 1, 2, 3]),
  currency_name: z.string(),
  number: decimalText,
  deal_money: decimalText,
  coin_code: z.string(),
  with_escrow: flag,
  overdue: flag,
  assigned_to: z.int(),
  proposed_by: z.int(),
  decided_by: z.int(),
  proposed: z.enum(['', 'buyer', 'seller']),
});
const appealFile = z.extend(reviewedAppeal, {
  notes: z.array(z.object({ time: timeText, operator_id: z.int(), text: z.string() })),
  chat: z.array(chatLine),
});

/** Appeals for operators (api §2.12). */
@Controller()
export class AppealAdminController {
  constructor(
    private readonly appeals: AppealAdmin,
    private readonly decisions: AppealDecisions,
  ) {}

  @Call(
    { method: 'GET', path: '/api/admin/appeals', auth: 'operator', role: 'support' },
    {
      summary: 'List appeals: open ones oldest first, all newest first',
      answer: message(dataPage(reviewedAppeal)),
    },
  )
  list(
    @Query() { state, userId, page }: AdminAppealsQuery,
    @Context() { lang }: CallContext,
  ): Promise<DataPage<ReviewedAppeal>> {
    return this.appeals.listAppeals({ states: state && [state], userId }, page, lang);
  }

  @Call(
    { method: 'GET', path: '/api/admin/appeals/:id', auth: 'operator', role: 'support' },
    {
      summary: 'One appeal with the chat of its deal and the notes of operators',
      answer: message(appealFile),
      refuses: ['common.notFound'],
    },
  )
  findFile(@Param('id') id: string, @Context() { lang }: CallContext): Promise<AppealFile> {
    return this.appeals.findFile(ID.read(id, 'id'), lang);
  }

  @Call(
    { method: 'POST', path: '/api/admin/appeals/note', auth: 'operator', role: 'support' },
    {
      summary: 'Write a note for operators, or a message to both parties',
      answer: notice('admin.appealNoted'),
      refuses: ['common.notFound', 'c2c.state'],
    },
  )
  addNote(@Body() fields: NoteBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.appeals.addNote(operator, fields);
  }

  @Call(
    { method: 'POST', path: '/api/admin/appeals/assign', auth: 'operator', role: 'support' },
    {
      summary: 'Take charge of an open appeal',
      answer: notice('admin.appealAssigned'),
      refuses: ['common.notFound', 'c2c.state'],
    },
  )
  assign(@Body() fields: AssignBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.appeals.assign(operator, fields);
  }

  @Call(
    { method: 'POST', path: '/api/admin/appeals/decide', auth: 'operator', role: 'finance', money: true },
    {
      summary: 'Decide an appeal, or propose a decision where two operators must agree; both parties see the reason',
      answer: notice(['admin.appealDecided', 'admin.secondNeeded'], { appeal }),
      refuses: ['common.notFound', 'c2c.state', 'admin.samePerson'],
    },
  )
  decide(
    @Body() fields: DecideBody,
    @CurrentCaller() operator: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.decisions.decide(operator, fields, context);
  }
}
