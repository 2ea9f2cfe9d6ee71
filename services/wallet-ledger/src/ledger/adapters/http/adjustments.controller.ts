import { Body, Controller, Query } from '@nestjs/common';
import { toDataPage, type DataPage } from '@bourse/contract';
import { formatUnits, toUnits } from '@bourse/money';
import { AnswerStore } from '@bourse/persistence';
import {
  Call,
  type CallContext,
  type Caller,
  Context,
  CurrentCaller,
  dataPage,
  message,
  Notice,
  notice,
  Refused,
  timeText,
  WrittenAmount,
} from '@bourse/platform';
import {
  AdjustmentListQuery,
  DecideAdjustmentBody,
  FundHouseBody,
  NewAdjustmentBody,
} from '../../application/fields.js';
import { shownAdjustment, type ShownAdjustment } from './answers.js';
import * as z from 'zod/mini';
import { Adjustments } from '../../application/adjustments/adjustments.js';
import { AdjustmentStore, type Actor, type Adjustment } from '../../application/adjustments/ports.js';
import { Currencies } from '../../application/currencies.js';

const SCALE_MAX = 18;
/** Money from or to the outside is booked against capital only (rules §1). */
const OUTSIDE = 'h.outside';
const CAPITAL = 'h.capital';
const ID_MAX = 2 ** 31 - 1;

/** Adjustments of balances by operators; each needs two of them (api §2.12, §6.4). */
@Controller()
export class AdjustmentsController {
  constructor(
    private readonly adjustments: Adjustments,
    private readonly store: AdjustmentStore,
    private readonly currencies: Currencies,
    private readonly answers: AnswerStore,
  ) {}

  /** The list includes movements between house accounts: their `user_id` is 0, their account `h.capital>h.lever`. */
  @Call(
    { method: 'GET', path: '/api/admin/adjustments', auth: 'operator', role: 'finance' },
    { summary: 'Adjustments and movements of the house', answer: message(dataPage(shownAdjustment)) },
  )
  async list(@Query() fields: AdjustmentListQuery): Promise<DataPage<ShownAdjustment>> {
    const { state, userId, page } = fields;
    return toDataPage(
      await this.store.list(
        { ...(state === undefined ? {} : { state }), ...(userId === undefined ? {} : { userId }) },
        page,
      ),
      page,
      (row) => this.shown(row),
    );
  }

  @Call(
    { method: 'POST', path: '/api/admin/adjustments/create', auth: 'operator', role: 'finance', money: true },
    { summary: 'Request an adjustment of a balance', answer: notice('admin.adjustmentCreated', { id: z.int() }) },
  )
  create(
    @CurrentCaller() caller: Caller,
    @Body() fields: NewAdjustmentBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    // A program repeats a call whose answer was lost: one key asks for one adjustment.
    return this.answers.onceNotice(context, () => this.createNow(caller, fields));
  }

  private async createNow(caller: Caller, fields: NewAdjustmentBody): Promise<Notice> {
    const { userId, currencyId, account } = fields;
    const amount = this.signed(fields.amount, currencyId);
    const { reasonCode, note } = fields;
    return new Notice('admin.adjustmentCreated', {
      id: await this.adjustments.create(
        { userId, account, toAccount: null, currencyId, amount, reasonCode, note },
        actorOf(caller, fields.reason),
      ),
    });
  }

  @Call(
    { method: 'POST', path: '/api/admin/adjustments/approve', auth: 'operator', role: 'finance' },
    {
      summary: 'Approve and post an adjustment',
      answer: notice('admin.adjustmentApproved'),
      refuses: ['admin.samePerson', 'admin.outdated', 'admin.decided', 'balance.insufficient'],
    },
  )
  async approve(@CurrentCaller() caller: Caller, @Body() fields: DecideAdjustmentBody): Promise<Notice> {
    await this.adjustments.approve(adjustmentId(fields.id), actorOf(caller, fields.reason));
    return new Notice('admin.adjustmentApproved');
  }

  @Call(
    { method: 'POST', path: '/api/admin/adjustments/reject', auth: 'operator', role: 'finance' },
    { summary: 'Refuse an adjustment', answer: notice('admin.adjustmentRejected'), refuses: ['admin.decided'] },
  )
  async reject(@CurrentCaller() caller: Caller, @Body() fields: DecideAdjustmentBody): Promise<Notice> {
    await this.adjustments.reject(adjustmentId(fields.id), actorOf(caller, fields.reason));
    return new Notice('admin.adjustmentRejected');
  }

  /**
   * The first call requests the movement; the same call of another operator, or its approval in the list of
   * adjustments, books it. A movement from or to the outside carries its proof as note.
   */
  @Call(
    { method: 'POST', path: '/api/admin/house/fund', auth: 'operator', role: 'finance', money: true },
    {
      summary: 'Move money between house accounts',
      answer: notice(['admin.fundWaiting', 'admin.fundDone'], { id: z.int(), state: z.string() }),
      refuses: ['transfer.same', 'common.notFound', 'admin.samePerson', 'admin.outdated', 'balance.insufficient'],
    },
  )
  fund(
    @CurrentCaller() caller: Caller,
    @Body() fields: FundHouseBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.answers.onceNotice(context, () => this.fundNow(caller, fields));
  }

  private async fundNow(caller: Caller, fields: FundHouseBody): Promise<Notice> {
    const { from, to, currencyId } = fields;
    const currency = this.currencies.byId(currencyId);
    const amount = fields.amount.units(currency?.scale ?? SCALE_MAX);
    const { note } = fields;
    if (from === to) throw new Refused('transfer.same', {}, { field: 'to' });
    for (const [field, one, other] of [
      ['from', from, to],
      ['to', to, from],
    ] as const)
      if (one === OUTSIDE && other !== CAPITAL) throw new Refused('common.fieldInvalid', { field }, { field });
    if (!currency) throw new Refused('common.notFound', {}, { field: 'currency_id' });
    const actor = actorOf(caller, fields.reason);
    const { id, state } = await this.adjustments.fund(
      {
        userId: null,
        account: from,
        toAccount: to,
        currencyId,
        amount: formatUnits(amount, currency.scale),
        reasonCode: 'house',
        note,
      },
      actor,
    );
    return new Notice(state === 'waiting' ? 'admin.fundWaiting' : 'admin.fundDone', { id, state });
  }

  private shown(row: Adjustment): ShownAdjustment {
    const scale = this.currencies.scaleOf(row.currencyId) ?? SCALE_MAX;
    return {
      id: row.id,
      user_id: row.userId ?? 0,
      currency_id: row.currencyId,
      account: row.toAccount === null ? row.account : `${row.account}>${row.toAccount}`,
      amount: formatUnits(toUnits(row.amount, scale), scale),
      reason_code: row.reasonCode,
      note: row.note,
      state: row.state === 'posting' ? 'waiting' : row.state,
      created_by: row.createdByName,
      decided_by: row.state === 'posting' ? '' : row.decidedByName,
      create_time: timeText(row.createdAt),
    };
  }

  /** Reads a signed amount as decimal text of the coin's scale. */
  private signed(text = '', currencyId: number): string {
    const negative = text.startsWith('-');
    const scale = this.currencies.scaleOf(currencyId) ?? SCALE_MAX;
    const units = new WrittenAmount(negative ? text.slice(1) : text, 'amount', {}).units(scale);
    return formatUnits(negative ? -units : units, scale);
  }
}

const actorOf = (caller: Caller, reason: string): Actor => ({
  operatorId: caller.userId,
  operator: caller.accountNumber,
  reason,
});

function adjustmentId(id: string): number {
  if (id.length > 10 || Number(id) > ID_MAX) throw new Refused('common.notFound', {}, { field: 'id' });
  return Number(id);
}
