import { Controller } from '@nestjs/common';
import type { DataPage } from '@bourse/contract';
import { accountsWhere } from '@bourse/events';
import { formatUnits, toUnits } from '@bourse/money';
import {
  Call,
  CurrentCaller,
  Fields,
  Notice,
  present,
  readAmount,
  readId,
  readInteger,
  readOneOf,
  readOptionalInteger,
  readPage,
  readText,
  Refused,
  timeText,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { Adjustments } from '../../application/adjustments/adjustments.js';
import { AdjustmentStore, type Actor, type Adjustment } from '../../application/adjustments/ports.js';
import { Currencies } from '../../application/currencies.js';

/** A person's accounts that two operators may correct. */
const ACCOUNTS = accountsWhere(({ transfers }) => transfers);
/**
 * House accounts that operators move money between; the others stand against the partitions or a deposit. The world
 * outside gives to capital and takes from it, and from nothing else (rules §1).
 */
const OUTSIDE = 'h.outside';
const CAPITAL = 'h.capital';
const HOUSE = [...accountsWhere(({ funded }) => funded), OUTSIDE] as const;
const STATES = ['waiting', 'approved', 'rejected'] as const;
const SCALE_MAX = 18;
const CODE = /^[A-Za-z0-9_.-]+$/;
const ID_MAX = 2 ** 31 - 1;
const NOTE_MAX = 500;

export interface ShownAdjustment {
  id: number;
  user_id: number;
  currency_id: number;
  account: string;
  amount: string;
  reason_code: string;
  note: string;
  state: 'waiting' | 'approved' | 'rejected';
  created_by: string;
  decided_by: string;
  create_time: string;
}

/** Money that operators move by hand, two of them each time (api §2.12, §6.4). */
@Controller()
export class AdjustmentsController {
  constructor(
    private readonly adjustments: Adjustments,
    private readonly store: AdjustmentStore,
    private readonly currencies: Currencies,
  ) {}

  /** Movements between house accounts are listed too: of nobody, `h.capital>h.lever` as account. */
  @Call({ method: 'GET', path: '/api/admin/adjustments', auth: 'operator', role: 'finance' })
  async list(@Fields() fields: FieldRecord): Promise<DataPage<ShownAdjustment>> {
    const state = present(fields, 'state') === undefined ? undefined : readOneOf(fields, 'state', STATES);
    const userId = readOptionalInteger(fields, 'user_id');
    const page = readPage(fields, 20);
    const { rows, total } = await this.store.list(
      { ...(state === undefined ? {} : { state }), ...(userId === undefined ? {} : { userId }) },
      page,
    );
    return {
      data: rows.map((row) => this.shown(row)),
      page: page.page,
      page_size: page.size,
      total,
      has_more: page.offset + rows.length < total && rows.length > 0 ? 1 : 0,
    };
  }

  @Call({ method: 'POST', path: '/api/admin/adjustments/create', auth: 'operator', role: 'finance' })
  async create(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const userId = readInteger(fields, 'user_id', 'common.fieldInvalid', { min: 1 });
    const currencyId = readInteger(fields, 'currency_id', 'common.fieldInvalid', { max: ID_MAX });
    const account = readOneOf(fields, 'account', ACCOUNTS);
    const amount = this.signed(fields, currencyId);
    const reasonCode = readText(fields, 'reason_code', 'common.fieldRequired', { max: 40, pattern: CODE });
    const note = readText(fields, 'note', 'common.fieldRequired', { max: NOTE_MAX });
    return new Notice('admin.adjustmentCreated', {
      id: await this.adjustments.create(
        { userId, account, toAccount: null, currencyId, amount, reasonCode, note },
        actorOf(caller, fields),
      ),
    });
  }

  @Call({ method: 'POST', path: '/api/admin/adjustments/approve', auth: 'operator', role: 'finance' })
  async approve(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    await this.adjustments.approve(readAdjustment(fields), actorOf(caller, fields));
    return new Notice('admin.adjustmentApproved');
  }

  @Call({ method: 'POST', path: '/api/admin/adjustments/reject', auth: 'operator', role: 'finance' })
  async reject(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    await this.adjustments.reject(readAdjustment(fields), actorOf(caller, fields));
    return new Notice('admin.adjustmentRejected');
  }

  /**
   * The first call asks; the same call of another operator, or its approval in the list of adjustments, books it. What
   * comes from outside or goes there has its proof as note.
   */
  @Call({ method: 'POST', path: '/api/admin/house/fund', auth: 'operator', role: 'finance' })
  async fund(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const from = readOneOf(fields, 'from', HOUSE);
    const to = readOneOf(fields, 'to', HOUSE);
    const currencyId = readInteger(fields, 'currency_id', 'common.fieldInvalid', { max: ID_MAX });
    const currency = this.currencies.byId(currencyId);
    const amount = readAmount(fields, 'amount', currency?.scale ?? SCALE_MAX);
    const note = readText(fields, 'note', 'common.fieldRequired', { max: NOTE_MAX });
    if (from === to) throw new Refused('transfer.same', {}, { field: 'to' });
    for (const [field, one, other] of [
      ['from', from, to],
      ['to', to, from],
    ] as const)
      if (one === OUTSIDE && other !== CAPITAL) throw new Refused('common.fieldInvalid', { field }, { field });
    if (!currency) throw new Refused('common.notFound', {}, { field: 'currency_id' });
    const actor = actorOf(caller, fields);
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

  /** An amount with its sign, as decimal text of the coin's scale. */
  private signed(fields: FieldRecord, currencyId: number): string {
    const text = present(fields, 'amount') ?? '';
    const negative = text.startsWith('-');
    const scale = this.currencies.scaleOf(currencyId) ?? SCALE_MAX;
    const units = readAmount({ amount: negative ? text.slice(1) : text }, 'amount', scale);
    return formatUnits(negative ? -units : units, scale);
  }
}

const actorOf = (caller: Caller, fields: FieldRecord): Actor => ({
  operatorId: caller.userId,
  operator: caller.accountNumber,
  reason: present(fields, 'reason') ?? '',
});

function readAdjustment(fields: FieldRecord): number {
  const id = readId(fields, 'id');
  if (id.length > 10 || Number(id) > ID_MAX) throw new Refused('common.notFound', {}, { field: 'id' });
  return Number(id);
}
