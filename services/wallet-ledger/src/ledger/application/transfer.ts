import { Injectable } from '@nestjs/common';
import type { CurrencyRow, Product } from '@bourse/contract';
import { available } from '@bourse/events';
import { LedgerClient } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import { type CallContext, type Notice, refuse, Refused, randomId } from '@bourse/platform';
import { Currencies, mayHold } from './currencies.js';
import { LeverHandOver } from './lever-hand-over.js';
import type { TransferBody } from './fields.js';

/** Old codes that name both accounts. */
const TYPES: Readonly<Record<string, { readonly from: Product; readonly to: Product }>> = {
  3: { from: 'change', to: 'lever' },
  4: { from: 'lever', to: 'change' },
};
/** The finest scale that the grammar accepts; a coin's own scale is checked once the coin is known. */
const SCALE_MAX = 18;

export interface TransferRequest {
  readonly currency: CurrencyRow;
  readonly from: Product;
  readonly to: Product;
  readonly amount: bigint;
}

/** Moves an amount between two accounts of one person, at once and without a fee (rules §8.2). */
@Injectable()
export class TransferBetweenAccounts {
  constructor(
    private readonly currencies: Currencies,
    private readonly ledger: LedgerClient,
    private readonly lever: LeverHandOver,
  ) {}

  /** @throws Refused in the order of rules §8.2; `pending` when the outcome is not known in time. */
  async execute(userId: number, fields: TransferBody, context: CallContext): Promise<Notice> {
    const { currency, from, to, amount } = this.read(fields);
    const taken = formatUnits(amount, currency.scale);
    if (from === 'lever') return this.lever.transfer({ userId, currency: currency.id, to, amount: taken, context });
    const id = randomId();
    return this.ledger.ask(
      {
        issuer: 'wallet-ledger',
        userId,
        onBehalfOf: userId,
        journals: [
          {
            id: `transfer:${id}`,
            causeType: 'transfer',
            causeId: id,
            legs: [
              {
                from: available(userId, from),
                to: available(userId, to),
                currency: currency.id,
                amount: taken,
              },
            ],
          },
        ],
        answer: { type: 'ok', key: 'transfer.success', extra: { id } },
      },
      context,
    );
  }

  /** Reads and checks the fields of a transfer. */
  read(fields: TransferBody): TransferRequest {
    fields.amount.units(SCALE_MAX);
    const currency = this.currencies.byId(fields.currencyId);
    const amount = fields.amount.units(currency?.scale ?? SCALE_MAX);
    const { from, to } = accountsOf(fields);
    if (from === to) throw new Refused('transfer.same', {}, { field: 'to_field' });
    if (!currency || !mayHold(currency, from) || !mayHold(currency, to))
      throw new Refused('transfer.notSupported', {}, { field: 'currency_id' });
    return { currency, from, to, amount };
  }
}

function accountsOf({ type, from, to }: TransferBody): { from: Product; to: Product } {
  if (from === undefined && to === undefined && type !== undefined) {
    const named = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    if (!named) throw new Refused('common.fieldInvalid', { field: 'type' }, { field: 'type' });
    return named;
  }
  if (from === undefined) throw refuse('common.fieldRequired', 'from_field');
  if (to === undefined) throw refuse('common.fieldRequired', 'to_field');
  return { from, to };
}
