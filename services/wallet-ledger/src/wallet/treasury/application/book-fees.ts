import type { LedgerReply } from '@bourse/events';
import type { NetworkRow } from '@bourse/contract';
import type { LedgerClient } from '@bourse/ledger-client';
import type { Lease } from '@bourse/messaging';
import { formatUnits, rescale, toUnits } from '@bourse/money';
import type { Clock } from '@bourse/platform';
import type { LedgerReader } from '../../../ledger/application/ports.js';
import type { FeeBooking, TreasuryStore } from './ports.js';
import { houseOwner } from '../../../ledger/domain/journal.js';

/** Retry interval after a refusal: the house may have received money by then. */
const RETRY_INTERVAL_MS = 10 * 60_000;
/** Accounts that pay the networks' fees: first the withdrawal fees collected from people, then the house's capital. */
const PAYERS = ['h.fees', 'h.capital'] as const;
/** The user id in commands that no person has requested. */
const NOBODY = 1;

export interface BookFeesParts {
  readonly store: TreasuryStore;
  readonly reader: Pick<LedgerReader, 'balances'>;
  readonly ledger: Pick<LedgerClient, 'settle'>;
  readonly clock: Pick<Clock, 'real'>;
  readonly partitions: number;
}

/**
 * Books the networks' fees: out of a house account and out of the exchange's outside assets, in the chain's coin. Each
 * booking is a command that may be refused, not a row of a stream; an amount that no partition can pay stays unbooked,
 * is reported by a metric, and is retried.
 */
export class BookFees {
  constructor(private readonly parts: BookFeesParts) {}

  /**
   * `network`: of the chain's own coin; `scale`: of the coin in the ledger. Returns the unbooked amount, units of the
   * ledger.
   */
  async round(lease: Lease, network: NetworkRow, scale: number): Promise<bigint> {
    const { store, clock } = this.parts;
    const { amount, asked, last } = await store.booked(network.chain);
    const total = rescale(await store.feesOf(network.chain), network.chainScale, scale, 'down');
    if (asked)
      return (await this.settle(lease, asked)) === 'booked'
        ? total - toUnits(amount, scale)
        : total - toUnits(amount, scale) + toUnits(asked.amount, scale);
    const due = total - toUnits(amount, scale);
    if (due <= 0n || (last.refusedAt !== null && clock.real() - last.refusedAt < RETRY_INTERVAL_MS)) return due;
    const payer = await this.payer(network.currencyId, due, scale);
    if (payer === null) return due;
    const booking: FeeBooking = {
      chain: network.chain,
      number: last.number + 1,
      currencyId: network.currencyId,
      ...payer,
      amount: formatUnits(due, scale),
    };
    await store.book(lease, booking);
    return (await this.settle(lease, booking)) === 'booked' ? 0n : due;
  }

  /** Sends the command again under the same id until the ledger has answered. */
  private async settle(lease: Lease, booking: FeeBooking): Promise<'booked' | 'refused' | 'unknown'> {
    const reply = await this.ask(booking);
    if (reply === null) return 'unknown';
    const state = reply.ok ? 'booked' : 'refused';
    await this.parts.store.settleBooking(lease, booking, state);
    return state;
  }

  private ask({ chain, number, currencyId, account, partition, amount }: FeeBooking): Promise<LedgerReply | null> {
    const commandId = `network-fee:${chain}:${number}`;
    return this.parts.ledger.settle(
      {
        issuer: 'operator',
        userId: NOBODY,
        onBehalfOf: null,
        partition,
        answer: { type: 'ok' },
        journals: [
          {
            id: commandId,
            causeType: 'network_fee',
            causeId: `${chain}:${number}`,
            legs: [{ from: account as (typeof PAYERS)[number], to: 'h.outside', currency: currencyId, amount }],
          },
        ],
      },
      commandId,
    );
  }

  private async payer(
    currencyId: number,
    due: bigint,
    scale: number,
  ): Promise<Pick<FeeBooking, 'account' | 'partition'> | null> {
    const partitions = await Promise.all(
      Array.from({ length: this.parts.partitions }, (_, partition) =>
        this.parts.reader.balances(houseOwner(partition)),
      ),
    );
    for (const account of PAYERS) {
      const partition = partitions.findIndex((rows) =>
        rows.some(
          (row) => row.account === account && row.currency === currencyId && toUnits(row.available, scale) >= due,
        ),
      );
      if (partition >= 0) return { account, partition };
    }
    return null;
  }
}
