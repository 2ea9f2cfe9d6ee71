import { Body, Controller } from '@nestjs/common';
import { z } from 'zod';
import type { CurrencyRow } from '@bourse/contract';
import { Reference } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import {
  Call,
  Context,
  CurrentCaller,
  message,
  notice,
  Refused,
  type CallContext,
  type Caller,
  type Notice,
} from '@bourse/platform';
import { Boxes } from '../../application/boxes.js';
import { CloseBoxBody, OpenBoxBody } from './fields.js';

const box = z.object({ id: z.string(), currency: z.int(), amount: z.string(), closes_at: z.int() });

/** Boxes of a person. */
@Controller()
export class BoxesController {
  constructor(
    private readonly boxes: Boxes,
    private readonly reference: Reference,
  ) {}

  @Call(
    { method: 'POST', path: '/api/template/box', auth: 'user', money: true, gates: ['trade'], breaker: 'template' },
    {
      summary: 'Put an amount aside',
      answer: notice('box.opened', { id: z.string(), closes_at: z.int() }),
      refuses: ['box.tooMany', 'balance.insufficient'],
    },
  )
  open(@Body() fields: OpenBoxBody, @CurrentCaller() caller: Caller, @Context() context: CallContext): Promise<Notice> {
    const currency = this.reference.get<CurrencyRow>('currency', String(fields.currency));
    if (!currency) throw new Refused('common.fieldInvalid', { field: 'currency' }, { field: 'currency' });
    const amount = formatUnits(fields.amount.units(currency.scale), currency.scale);
    return this.boxes.open(caller.userId, currency.id, amount, context);
  }

  @Call(
    { method: 'PUT', path: '/api/template/box', auth: 'user', money: true, breaker: 'template' },
    {
      summary: 'Take an amount back',
      answer: notice('common.success', { id: z.string() }),
      refuses: ['common.notFound'],
    },
  )
  close(
    @Body() { id }: CloseBoxBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.boxes.closeEarly(caller.userId, id, context);
  }

  @Call(
    { method: 'GET', path: '/api/template/boxes', auth: 'user' },
    { summary: 'Open boxes, the newest first', answer: message(z.array(box)) },
  )
  async list(@CurrentCaller() caller: Caller): Promise<z.output<typeof box>[]> {
    return (await this.boxes.list(caller.userId)).map(({ id, currency, amount, closesAt }) => ({
      id,
      currency,
      amount,
      closes_at: closesAt ?? 0,
    }));
  }
}
