import { Injectable } from '@nestjs/common';
import { toDataPage, type DataPage, type Deposit, type DepositState as ShownState } from '@bourse/contract';
import { formatUnits, toUnits } from '@bourse/money';
import { timeText } from '@bourse/platform';
import { confirmationsOf, type DepositState } from '../domain/deposit.js';
import { Chains, ChainUnavailable } from '../../chains/application/chain.js';
import { Currencies } from '../../../ledger/application/currencies.js';
import { DepositStore, type DepositRow } from './ports.js';
import type { CoinListQuery } from '../../shared/application/fields.js';
import type { WatchedDepositsQuery } from './fields.js';

/** The additional fields for operators. `user_id` is 0 for a deposit without an owner; `lost` while no block has it. */
export interface WatchedDeposit extends Deposit {
  user_id: number;
  chain: string;
  address: string;
  memo: string;
  contract_address: string;
  output: number;
  lost: 0 | 1;
  return_address: string;
  return_fee: string;
  return_tx_id: string;
}

/** Stored states by the state that the lists show. */
const SHOWN_AS: Readonly<Record<ShownState, readonly DepositState[]>> = {
  seen: ['seen'],
  held: ['held'],
  credited: ['credited'],
  returned: ['returning', 'returned'],
};

/** Deposits in the shapes of the lists. */
@Injectable()
export class DepositList {
  constructor(
    private readonly store: DepositStore,
    private readonly chains: Chains,
    private readonly currencies: Currencies,
  ) {}

  async ofUser(userId: number, { currency, page }: CoinListQuery): Promise<DataPage<Deposit>> {
    const { rows, total } = await this.store.ofUser(userId, currency === undefined ? {} : { currency }, page);
    const tips = await this.tips(rows);
    return toDataPage({ rows, total }, page, (row) => this.view(row, tips));
  }

  async all({ id, state, userId, page }: WatchedDepositsQuery): Promise<DataPage<WatchedDeposit>> {
    const { rows, total } = await this.store.all({ id, states: state && SHOWN_AS[state], userId }, page);
    const tips = await this.tips(rows);
    return toDataPage({ rows, total }, page, (row) => ({
      ...this.view(row, tips),
      user_id: row.userId ?? 0,
      chain: row.chain,
      address: row.address,
      memo: row.memo,
      contract_address: row.contract,
      output: row.output,
      lost: row.height === null ? 1 : 0,
      return_address: row.returnAddress,
      return_fee: this.amount(row.returnFee, row.currencyId),
      return_tx_id: row.returnTxId,
    }));
  }

  private view(row: DepositRow, tips: ReadonlyMap<string, number>): Deposit {
    const tip = tips.get(row.chain);
    return {
      id: row.id,
      currency: row.currencyId,
      currency_name: this.currencies.nameOf(row.currencyId),
      type: row.networkId,
      amount: this.amount(row.amount, row.currencyId),
      tx_id: row.txId,
      // The chain does not answer: a booked deposit is known to have had its confirmations.
      confirmations:
        tip === undefined
          ? row.state === 'seen' || row.height === null
            ? 0
            : row.needed
          : confirmationsOf(row.height, tip),
      needed: row.needed,
      state: row.state === 'returning' ? 'returned' : row.state,
      create_time: timeText(row.seenAt),
      ts: row.seenAt,
      updated_ts: row.updatedAt,
    };
  }

  private amount(text: string, currencyId: number): string {
    const scale = this.currencies.scaleOf(currencyId) ?? 8;
    return formatUnits(toUnits(text, scale), scale);
  }

  /** Tips of the chains in a list; a chain that does not answer is missing. */
  private async tips(rows: readonly DepositRow[]): Promise<ReadonlyMap<string, number>> {
    const found = await Promise.all(
      [...new Set(rows.map(({ chain }) => chain))].map(async (name): Promise<[string, number] | null> => {
        try {
          const tip = await this.chains.get(name)?.tip();
          return tip ? [name, tip.height] : null;
        } catch (error) {
          if (error instanceof ChainUnavailable) return null;
          throw error;
        }
      }),
    );
    return new Map(found.filter((entry) => entry !== null));
  }
}
