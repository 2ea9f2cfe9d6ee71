import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  decimalText,
  leverDeal,
  leverPosition,
  leverPreview,
  orderId,
  type DataPage,
  type LeverDeal,
  type LeverPosition,
  type LeverPreview,
} from '@bourse/contract';
import * as z from 'zod/mini';
import {
  attachment,
  Call,
  Context,
  CurrentCaller,
  dataPage,
  file,
  message,
  notice,
  type CallContext,
  type Caller,
  type Notice,
  type Raw,
} from '@bourse/platform';
import { ClosePositions } from '../../application/close.js';
import {
  BatchCloseBody,
  ClosedExportQuery,
  CloseBody,
  DealBody,
  OpenListBody,
  OperatorListQuery,
  OwnListBody,
  PositionBody,
  PositionQuery,
  StopsBody,
  SubmitBody,
} from '../../application/fields.js';
import { LeverLists, type LeverListed } from '../../application/lists.js';
import { SetStops } from '../../application/set-stops.js';
import { SubmitPosition } from '../../application/submit.js';

/** In the order of rules §12.6. */
const SUBMIT_REFUSES = [
  'pair.delisted',
  'lever.multipleRequired',
  'lever.multipleInvalid',
  'lever.priceRequired',
  'lever.shareInteger',
  'lever.shareMin',
  'lever.shareMax',
  'market.stale',
  'lever.entrustSide',
  'quantity.rule',
  'lever.stopNegative',
  'lever.stopSide',
  'lever.stopBeyondLiquidation',
  'lever.tooMany',
  'lever.houseLimit',
  'balance.insufficient',
  'lever.riskOpen',
];
const settling = z.optional(z.literal(1));
const listed = z.object({
  order: dataPage(leverPosition),
  hazard_rate: decimalText,
  profits: decimalText,
  profits_total: decimalText,
  balance: decimalText,
});
const operatorRow = z.extend(leverPosition, { user_id: z.int() });

const CLOSE = { auth: 'user', money: true, rate: 'cancel', apiKey: 'trade', whileFrozen: true } as const;

/** Leverage (api §2.5). */
@ApiTags('lever')
@Controller()
export class LeverController {
  constructor(
    private readonly submitting: SubmitPosition,
    private readonly closing: ClosePositions,
    private readonly stops: SetStops,
    private readonly lists: LeverLists,
  ) {}

  @Call(
    { method: 'POST', path: '/api/lever/deal', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true },
    { summary: 'Get the data for a ticket of a leverage pair', answer: message(leverDeal), refuses: ['pair.delisted'] },
  )
  deal(@CurrentCaller() caller: Caller, @Body() fields: DealBody): Promise<LeverDeal> {
    return this.lists.deal(caller.userId, fields);
  }

  @Call(
    { method: 'POST', path: '/api/lever/preview', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true },
    { summary: 'Preview a position', answer: message(leverPreview), refuses: SUBMIT_REFUSES },
  )
  preview(@CurrentCaller() caller: Caller, @Body() fields: SubmitBody): Promise<LeverPreview> {
    return this.submitting.preview(caller.userId, fields);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/lever/submit',
      auth: 'user',
      gates: ['trade'],
      money: true,
      rate: 'order',
      apiKey: 'trade',
      breaker: 'lever',
    },
    {
      summary: 'Open a position at the market, or at a trigger price',
      answer: notice('lever.success', { id: orderId, order: leverPosition }),
      refuses: SUBMIT_REFUSES,
    },
  )
  submit(
    @CurrentCaller() caller: Caller,
    @Body() fields: SubmitBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.submitting.execute(caller.userId, fields, context);
  }

  @Call(
    { method: 'POST', path: '/api/lever/close', ...CLOSE },
    {
      summary: 'Close a position or a part of it at the mark price; with cover, also the positions that cover its loss',
      answer: notice('lever.closed', {
        order: leverPosition,
        part: z.optional(leverPosition),
        ids: z.optional(z.array(orderId)),
        settling,
      }),
      refuses: [
        'common.notFound',
        'lever.state',
        'lever.shareInteger',
        'lever.shareMax',
        'market.stale',
        'lever.closeCover',
      ],
    },
  )
  close(@CurrentCaller() caller: Caller, @Body() fields: CloseBody, @Context() context: CallContext): Promise<Notice> {
    return this.closing.close(caller.userId, fields, context);
  }

  @Call(
    { method: 'POST', path: '/api/lever/cancel', ...CLOSE },
    {
      summary: 'Cancel a pending order',
      answer: notice('lever.cancelled', { order: leverPosition, settling }),
      refuses: ['common.notFound', 'lever.state'],
    },
  )
  cancel(
    @CurrentCaller() caller: Caller,
    @Body() { id }: PositionBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.closing.cancel(caller.userId, id, context);
  }

  @Call(
    { method: 'POST', path: '/api/lever/batch_close', ...CLOSE },
    {
      summary: 'Close all open positions, or those of one direction or pair',
      answer: notice('lever.closed', { ids: z.array(orderId), settling }),
      refuses: ['market.stale', 'lever.closeCover'],
    },
  )
  batchClose(
    @CurrentCaller() caller: Caller,
    @Body() { which, quoteId, baseId, withCover = false }: BatchCloseBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.closing.batch(caller.userId, { which, quote: quoteId, base: baseId, withCover }, context);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/lever/setstop',
      auth: 'user',
      money: true,
      movesNothing: true,
      rate: 'order',
      apiKey: 'trade',
    },
    {
      summary: 'Set target and stop of an open position',
      answer: notice('lever.stopsSet', { order: leverPosition }),
      refuses: [
        'common.notFound',
        'lever.state',
        'lever.stopNegative',
        'lever.stopSide',
        'lever.stopBeyondLiquidation',
      ],
    },
  )
  setStops(
    @CurrentCaller() caller: Caller,
    @Body() fields: StopsBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.stops.execute(caller.userId, fields, context);
  }

  @Call(
    { method: 'POST', path: '/api/lever/dealall', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true },
    { summary: 'Own open positions of a quote', answer: message(listed) },
  )
  dealAll(@CurrentCaller() caller: Caller, @Body() fields: OpenListBody): Promise<LeverListed> {
    return this.lists.open(caller.userId, fields);
  }

  @Call(
    { method: 'POST', path: '/api/lever/my_trade', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true },
    { summary: 'Own positions in one state or all', answer: message(listed) },
  )
  own(@CurrentCaller() caller: Caller, @Body() fields: OwnListBody): Promise<LeverListed> {
    return this.lists.own(caller.userId, fields);
  }

  @Call(
    { method: 'GET', path: '/api/lever/order', auth: 'user', rate: 'read' },
    { summary: 'One own position', answer: message(leverPosition), refuses: ['common.notFound'] },
  )
  one(@CurrentCaller() caller: Caller, @Query() fields: PositionQuery): Promise<LeverPosition> {
    return this.lists.one(caller.userId, fields);
  }

  @Call(
    { method: 'GET', path: '/api/lever/export', auth: 'user', rate: 'history', raw: true },
    { summary: 'Own closed positions as a file', answer: file('text/csv') },
  )
  export(@CurrentCaller() caller: Caller, @Query() query: ClosedExportQuery): Promise<Raw> {
    return attachment(this.lists.csv(caller.userId, query), { contentType: 'text/csv', name: 'positions.csv' });
  }

  @Call(
    { method: 'GET', path: '/api/admin/orders/lever', auth: 'operator', role: 'support' },
    { summary: 'Positions of everybody, or of one person', answer: message(dataPage(operatorRow)) },
  )
  all(@Query() fields: OperatorListQuery): Promise<DataPage<LeverPosition & { user_id: number }>> {
    return this.lists.all(fields);
  }
}
