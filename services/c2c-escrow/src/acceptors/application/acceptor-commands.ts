import { Injectable } from '@nestjs/common';
import { PERCENT_SCALE } from '@bourse/formulas';
import { Commands, Sagas, type Saga } from '@bourse/ledger-client';
import { FundGate, OwnUploads } from '@bourse/messaging';
import { formatTrimmed } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Notice, Refused, type CallContext, type Caller, type WrittenAmount, Ids } from '@bourse/platform';
import { RATE_MAX } from '../domain/acceptor-deal.js';
import { AcceptorCatalog } from './catalog.js';
import { createFundOrder } from './journals.js';
import { AcceptorDebts, AcceptorStore, type AcceptorPayment, type AcceptorRates, type DebtPart } from './ports.js';
import { AcceptorSteps, type Step } from './steps.js';

/** Fields of a step; each refuses when it is read. */
export interface StepFields {
  readonly id: string;
  readonly reason?: string | undefined;
  readonly password?: string | undefined;
}
/** Fields left out are stored as empty. */
type WrittenPayment = { readonly [K in keyof AcceptorPayment]?: string | undefined };
export interface WrittenRates {
  readonly rechargeRate: WrittenAmount;
  readonly cashRate: WrittenAmount;
}

/** `debts`: the debts that the posted coins pay, in units as text; absent in a saga that the release before began. */
interface FundNote {
  readonly isIn: boolean;
  readonly debts?: readonly (readonly [dealId: string, units: string])[];
}
const toDebtParts = ({ debts = [] }: FundNote): DebtPart[] =>
  debts.map(([dealId, units]) => ({ dealId, units: BigInt(units) }));

/** Reads a rate of 0 to 20 percent. @throws Refused `common.fieldInvalid` */
function readRate(written: WrittenAmount): bigint {
  const rate = written.units(PERCENT_SCALE);
  const { field } = written;
  if (rate > RATE_MAX) throw new Refused('common.fieldInvalid', { field }, { field });
  return rate;
}
export const readRates = (fields: WrittenRates): AcceptorRates => ({
  rechargeRate: readRate(fields.rechargeRate),
  cashRate: readRate(fields.cashRate),
});

/** Commands of acceptors on their deals and terms (api §2.7); each reads the fund password last. */
@Injectable()
export class AcceptorCommands {
  private readonly funding: Saga<FundNote>;

  constructor(
    sagas: Sagas,
    private readonly steps: AcceptorSteps,
    private readonly store: AcceptorStore,
    private readonly commands: Commands,
    private readonly fund: FundGate,
    private readonly uploads: OwnUploads,
    private readonly catalog: AcceptorCatalog,
    private readonly ids: Ids,
    private readonly debts: AcceptorDebts,
  ) {
    this.funding = sagas.define<FundNote>({
      name: 'acceptor.fund',
      onPosted: async (tx, { object, note }) => {
        await this.debts.settle(tx, toDebtParts(note));
        return new Notice('acceptor.funded', { id: object });
      },
      // The coins posted by an acceptor are its credit with the exchange (api §6.12).
      onRefused: async (tx, { note }, refusal) => {
        await this.debts.release(tx, toDebtParts(note));
        return note.isIn ? refusal : new Refused('balance.credit', {}, { field: 'number' });
      },
    });
  }

  confirm(caller: Caller, fields: StepFields, context: CallContext): Promise<Notice> {
    return this.steps.take('acceptor.confirmed', context, async () => ({
      ...(await this.prepareStep(caller, fields, 'confirm')),
      givenBy: context,
    }));
  }
  reject(caller: Caller, fields: StepFields & { readonly reason: string }, context: CallContext): Promise<Notice> {
    return this.steps.take('acceptor.rejected', context, () => this.prepareStep(caller, fields, 'reject'));
  }
  /** @throws Refused `upload.required` unless the proof is a picture that the acceptor has uploaded */
  markTransferred(
    caller: Caller,
    fields: StepFields & { readonly proofPic?: string | undefined },
    context: CallContext,
  ): Promise<Notice> {
    const missing = new Refused('upload.required', {}, { field: 'proof_pic' });
    return this.steps.take('acceptor.transferred', context, async () => {
      await this.requireAcceptor(caller);
      const { id, proofPic, password } = fields;
      if (proofPic === undefined) throw missing;
      await this.fund.demand(caller.userId, password);
      const proof = await this.uploads.own(caller.userId, 'proof', proofPic);
      if (proof === null) throw missing;
      return { id, actor: { acceptorId: caller.userId }, action: 'transfer', facts: { proof } };
    });
  }

  private async prepareStep(caller: Caller, fields: StepFields, action: Step['action']): Promise<Step> {
    await this.requireAcceptor(caller);
    const { id, reason = '', password } = fields;
    await this.fund.demand(caller.userId, password);
    return { id, actor: { acceptorId: caller.userId }, action, facts: { reason } };
  }

  setRates(caller: Caller, fields: WrittenRates & { readonly password?: string | undefined }, context: CallContext) {
    return this.changeTerms(caller, context, fields, () => {
      const rates = readRates(fields);
      return (tx) => this.store.setRates(tx, caller.userId, rates);
    });
  }
  setPayment(
    caller: Caller,
    fields: WrittenPayment & { readonly password?: string | undefined },
    context: CallContext,
  ) {
    return this.changeTerms(caller, context, fields, () => {
      const { wechatNickname = '', wechatAccount = '', aliNickname = '', aliAccount = '' } = fields;
      const { bankName = '', bankAccount = '', bankAddress = '' } = fields;
      const payment = { wechatNickname, wechatAccount, aliNickname, aliAccount, bankName, bankAccount, bankAddress };
      return (tx) => this.store.setPayment(tx, caller.userId, payment);
    });
  }

  /**
   * Posts coins, or takes free ones back. Posted coins first pay the acceptor's debts; while a debt is open nothing is
   * taken back. @throws Refused `balance.insufficient`, `balance.credit`
   */
  fundCoins(
    caller: Caller,
    fields: {
      readonly direction: 'in' | 'out';
      readonly number: WrittenAmount;
      readonly password?: string | undefined;
    },
    context: CallContext,
  ): Promise<Notice> {
    const { userId } = caller;
    return this.commands.run(context, {
      prepare: async () => {
        // A person without the role of an acceptor still gets their own coins back.
        if (!(await this.store.findByUser(userId))) throw new Refused('common.noPermission');
        const { direction, number, password } = fields;
        const isIn = direction === 'in';
        if (isIn) await this.requireAcceptor(caller);
        const { id: currency, scale } = this.catalog.requireCoin();
        const units = number.units(scale);
        await this.fund.demand(userId, password);
        return { isIn, currency, scale, units };
      },
      decide: async (tx, { isIn, currency, scale, units }) => {
        if (!isIn && (await this.debts.findOwed([userId], tx)).size > 0)
          throw new Refused('balance.credit', {}, { field: 'number' });
        const parts = isIn ? await this.debts.reserve(tx, userId, units) : [];
        const paid = parts.reduce((sum, part) => sum + part.units, 0n);
        const debt = paid === 0n ? null : formatTrimmed(paid, scale);
        const debts = parts.map(({ dealId, units: part }) => [dealId, String(part)] as const);
        const object = this.ids.next();
        const command = createFundOrder(userId, currency, isIn, formatTrimmed(units, scale), object, debt);
        return this.funding.ask({ object, note: { isIn, debts }, command });
      },
    });
  }

  private changeTerms(
    caller: Caller,
    context: CallContext,
    fields: { readonly password?: string | undefined },
    read: () => (tx: Tx) => Promise<void>,
  ): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => {
        await this.requireAcceptor(caller);
        const write = read();
        await this.fund.demand(caller.userId, fields.password);
        return write;
      },
      decide: async (tx, write) => {
        await write(tx);
        return new Notice('acceptor.saved');
      },
    });
  }

  /** @throws Refused `common.noPermission` for a person who is not an acceptor */
  private async requireAcceptor({ userId, isAcceptor }: Caller): Promise<void> {
    if (!isAcceptor || !(await this.store.findByUser(userId))) throw new Refused('common.noPermission');
  }
}
