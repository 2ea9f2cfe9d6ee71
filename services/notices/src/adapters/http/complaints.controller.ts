import { Body, Controller, Query } from '@nestjs/common';
import { complaint, type Complaint, type DataPage } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  dataPage,
  message,
  notice,
  type CallContext,
  type Caller,
  type Notice,
} from '@bourse/platform';
import * as z from 'zod/mini';
import { Complaints } from '../../application/complaints.js';
import { ComplaintQuery, ComplaintsQuery, NewComplaintBody, ReplyBody } from './complaint-fields.js';

/** The complaints of people, and their handling (api §2.10). A frozen account reads its own and writes none. */
@Controller()
export class ComplaintsController {
  constructor(private readonly complaints: Complaints) {}

  @Call(
    { method: 'POST', path: '/api/complaint/add', auth: 'user', rate: 'c2c', apiKey: 'none' },
    {
      summary: 'Open a complaint; support answers it',
      answer: notice('complaint.sent', { id: z.int() }),
      refuses: ['upload.required', 'complaint.tooMany'],
    },
  )
  add(
    @Body() { images = [], ...fields }: NewComplaintBody,
    @CurrentCaller() { userId }: Caller,
    @Context() { lang }: CallContext,
  ): Promise<Notice> {
    return this.complaints.add({ userId, lang }, { ...fields, images });
  }

  @Call(
    { method: 'GET', path: '/api/complaint/list', auth: 'user', apiKey: 'none' },
    { summary: 'List own complaints by last activity', answer: message(dataPage(complaint)) },
  )
  list(@Query() { page }: ComplaintsQuery, @CurrentCaller() { userId }: Caller): Promise<DataPage<Complaint>> {
    return this.complaints.list(userId, page);
  }

  @Call(
    { method: 'GET', path: '/api/complaint/detail', auth: 'user', apiKey: 'none' },
    {
      summary: 'Get an own complaint with its messages, and mark them as read',
      answer: message(complaint),
      refuses: ['common.notFound'],
    },
  )
  detail(@Query() { id }: ComplaintQuery, @CurrentCaller() { userId }: Caller): Promise<Complaint> {
    return this.complaints.read(userId, id);
  }

  @Call(
    { method: 'POST', path: '/api/complaint/reply', auth: 'user', rate: 'c2c', apiKey: 'none' },
    {
      summary: 'Reply to a complaint; a closed one can be reopened for some days',
      answer: notice('complaint.replied'),
      refuses: ['upload.required', 'common.notFound', 'complaint.state', 'complaint.tooMany'],
    },
  )
  reply(@Body() { id, text, images = [] }: ReplyBody, @CurrentCaller() { userId }: Caller): Promise<Notice> {
    return this.complaints.reply(userId, { id, text, images });
  }

  @Call(
    { method: 'POST', path: '/api/complaint/close', auth: 'user', rate: 'c2c', apiKey: 'none' },
    {
      summary: 'Close an own complaint',
      answer: notice('complaint.closed'),
      refuses: ['common.notFound', 'complaint.state'],
    },
  )
  close(@Body() { id }: ComplaintQuery, @CurrentCaller() { userId }: Caller): Promise<Notice> {
    return this.complaints.close(userId, id);
  }
}
