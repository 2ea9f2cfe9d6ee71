import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CurrencyRow, Product } from '@bourse/contract';
import { available, ledgerPartition, LedgerCommandV1, TOPICS, type LedgerReply } from '@bourse/events';
import { Log, Replies } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import { type CallContext, Clock, Config, Notice, refuse, Refused } from '@bourse/platform';
import { Currencies, mayHold } from './currencies.js';
import { LedgerReader } from './ports.js';
import { randomId } from './random-id.js';
import type { TransferBody } from './fields.js';

/** The old way to name both accounts. */
const TYPES: Readonly<Record<string, { readonly from: Product; readonly to: Product }>> = {
  3: { from: 'change', to: 'lever' },
  4: { from: 'lever', to: 'change' },
};
/** The finest amount the grammar knows; a coin's own scale is judged when the coin is known. */
const SCALE_MAX = 18;
/** The outcome is unknown this long after the command can no longer be accepted. */
const WAIT_BEYOND_VALID_MS = 500;

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
    private readonly log: Log,
    private readonly replies: Replies,
    private readonly reader: LedgerReader,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @throws Refused in the order of rules §8.2; `pending` when the outcome is not known in time. */
  async execute(userId: number, fields: TransferBody, context: CallContext): Promise<Notice> {
    const { currency, from, to, amount } = this.read(fields);
    const id = randomId();
    const commandId = context.commandId ?? randomUUID();
    const message = LedgerCommandV1.encode({
      commandId,
      issuer: 'wallet-ledger',
      userId,
      onBehalfOf: userId,
      validUntil: context.validUntil,
      replyTo: this.replies.instance,
      ...(context.bodyHash === null ? {} : { bodyHash: context.bodyHash }),
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
              amount: formatUnits(amount, currency.scale),
            },
          ],
        },
      ],
      answer: { type: 'ok', key: 'transfer.success', extra: { id } },
    });
    const waiting = this.replies.wait(
      commandId,
      Math.max(0, context.validUntil - this.clock.real()) + WAIT_BEYOND_VALID_MS,
      () => this.reader.answer(commandId, context.bodyHash),
      context.bodyHash,
    );
    await this.log.send(TOPICS.ledgerCommands, ledgerPartition(userId, this.config.ledgerPartitions), message);
    const reply = await waiting;
    if (reply === null) throw new Refused('common.processing', {}, { type: 'pending', status: 202 });
    return noticeOf(reply);
  }

  /** Reads and judges the fields of a transfer. */
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

/** The ledger's answer as the caller gets it. @throws Refused when it is a refusal. */
export function noticeOf({ ok, answer }: LedgerReply): Notice {
  if (ok && answer.type === 'ok') return new Notice(answer.key ?? 'transfer.success', answer.extra, answer.params);
  throw new Refused(answer.key ?? 'common.defect', answer.params ?? {}, {
    ...(answer.type === 'ok' ? {} : { type: answer.type }),
    ...(answer.field === undefined ? {} : { field: answer.field }),
  });
}
