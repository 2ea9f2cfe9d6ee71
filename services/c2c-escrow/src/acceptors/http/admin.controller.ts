import { Body, Controller, Query } from '@nestjs/common';
import { acceptor, acceptorDeal, orderId, type Acceptor, type DataPage } from '@bourse/contract';
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
import { AcceptorAdmin } from '../application/admin.js';
import { AcceptorLists, type OperatorDealView } from '../application/lists.js';
import { AdminAcceptorDealsQuery, DecideAcceptorDealBody, SaveAcceptorBody } from './fields.js';

const OPERATORS_DEAL = z.extend(acceptorDeal, {
  user_id: z.int(),
  acceptor_user_id: z.int(),
  objection_pic: z.string(),
  objected: z.literal([0, 1]),
});

/** Acceptors and disputed deals, for finance (api §2.12). */
@Controller()
export class AcceptorAdminController {
  constructor(
    private readonly admin: AcceptorAdmin,
    private readonly lists: AcceptorLists,
  ) {}

  @Call(
    { method: 'GET', path: '/api/admin/acceptors', auth: 'operator', role: 'finance' },
    { summary: 'All acceptors', answer: message(z.array(acceptor)) },
  )
  list(): Promise<Acceptor[]> {
    return this.lists.listAcceptors(true);
  }

  @Call(
    { method: 'POST', path: '/api/admin/acceptors/save', auth: 'operator', role: 'finance', money: true },
    {
      summary: 'Appoint an acceptor, or change the terms; granted cash waits for a second operator',
      answer: notice(['admin.acceptorSaved', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: ['common.notFound'],
    },
  )
  save(
    @Body() fields: SaveAcceptorBody,
    @CurrentCaller() operator: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.admin.save(operator, fields, context);
  }

  @Call(
    { method: 'GET', path: '/api/admin/acceptor_deals', auth: 'operator', role: 'finance' },
    {
      summary: 'Deals with acceptors, the newest first',
      answer: message(dataPage(OPERATORS_DEAL)),
    },
  )
  listDeals(
    @Query() { page, objected, userId }: AdminAcceptorDealsQuery,
    @Context() { lang }: CallContext,
  ): Promise<DataPage<OperatorDealView>> {
    return this.lists.listForOperators({ isObjected: objected, partyId: userId }, page, lang);
  }

  @Call(
    { method: 'POST', path: '/api/admin/acceptor_deals/decide', auth: 'operator', role: 'finance', money: true },
    {
      summary: 'Decide a deal with an objection',
      answer: notice('admin.acceptorDecided', { id: orderId, deal: acceptorDeal }),
      refuses: ['common.notFound', 'acceptor.state'],
    },
  )
  decide(
    @Body() fields: DecideAcceptorDealBody,
    @CurrentCaller() operator: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.admin.decide(operator, fields, context);
  }
}
