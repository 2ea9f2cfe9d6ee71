import { Injectable } from '@nestjs/common';
import type {
  AccountAddresses,
  ChainName,
  CoinInfo,
  CurrencyRow,
  DepositAddressExtra,
  NetworkRow,
} from '@bourse/contract';
import { Asks, authAsks } from '@bourse/messaging';
import { formatUnits, toUnits, trimZeros } from '@bourse/money';
import { Refused } from '@bourse/platform';
import { tagOf } from '../domain/memo.js';
import { Chains } from '../../chains/application/chain.js';
import { Signer } from '../../chains/application/signer.js';
import { Currencies } from '../../../ledger/application/currencies.js';
import { Networks } from '../../shared/application/networks.js';
import { WalletView } from '../../balances/application/wallet-view.js';
import { depositNote } from './deposit-note.js';
import { DepositAddressStore, type GivenAddress } from './ports.js';
import type { CoinBody } from '../../shared/application/fields.js';
import type { CoinNetworkBody, OwnAddressesBody } from './fields.js';

const NOWHERE: GivenAddress = { address: '', memo: '' };
const ADDRESSES_MAX = 100;

/** Deposit addresses, and the facts about a coin's networks that depositors need. */
@Injectable()
export class DepositAddresses {
  constructor(
    private readonly store: DepositAddressStore,
    private readonly signer: Signer,
    private readonly chains: Chains,
    private readonly networks: Networks,
    private readonly currencies: Currencies,
    private readonly wallet: WalletView,
    private readonly asks: Asks,
  ) {}

  /**
   * A person's address on a chain, for all coins there: created at the first call and permanent. If all people share an
   * address, the memo is permanent.
   */
  give(userId: number, chain: ChainName): Promise<GivenAddress> {
    const isShared = this.networks.all().some((network) => network.chain === chain && network.memo);
    return this.store.give(userId, chain, (index) => ({
      address: this.signer.addressOf(chain, { kind: 'deposit', index }),
      memo: isShared ? tagOf(index) : '',
    }));
  }

  /**
   * @throws Refused `common.fieldRequired`, `common.fieldInvalid` on the coin, `wallet.protocol` when it has no such
   * network, `noopen` when that is closed.
   */
  async forCoin(
    userId: number,
    fields: CoinNetworkBody,
    lang: string,
  ): Promise<{ readonly address: string; readonly extra: DepositAddressExtra }> {
    const { currency: currencyId } = fields;
    const network = this.chosen(currencyId, fields.type);
    const { address, memo } = await this.give(userId, network.chain);
    return {
      address,
      extra: {
        memo,
        min_deposit: this.amount(network.minDeposit, currencyId),
        confirmations: network.confirmations,
        note: depositNote(network, this.currencies.nameOf(currencyId), lang),
      },
    };
  }

  /** `type` is a network's id; without it the first open one. @throws Refused `wallet.protocol`, `noopen` */
  chosen(currencyId: number, type: number | undefined): NetworkRow {
    const all = this.there(currencyId);
    const network =
      type === undefined ? (all.find(({ openDeposit }) => openDeposit) ?? all[0]) : all.find(({ id }) => id === type);
    if (!network) throw new Refused('wallet.protocol', {}, { field: 'type' });
    if (!network.openDeposit) throw new Refused('noopen', {}, { field: 'type' });
    return network;
  }

  /** The caller's own address on Ethereum; empty if the install has no such chain. */
  async ethereum(userId: number): Promise<string> {
    return this.chains.get('ethereum') ? (await this.give(userId, 'ethereum')).address : '';
  }

  /** The caller's own addresses of coins on Ethereum and TRON, filtered by part of a coin's name. */
  async accounts(
    userId: number,
    { size = ADDRESSES_MAX, keywords = '' }: OwnAddressesBody,
  ): Promise<{ list: AccountAddresses[]; total: number }> {
    const part = keywords.toUpperCase();
    const rows = this.currencies
      .all()
      .filter(({ name }) => name.toUpperCase().includes(part))
      .map((currency) => ({ currency, erc: this.on(currency, 'ethereum'), trc: this.on(currency, 'tron') }))
      .filter(({ erc, trc }) => erc ?? trc);
    const [erc, trc] = await Promise.all(
      (['ethereum', 'tron'] as const).map((chain) =>
        this.chains.get(chain) && rows.length > 0 ? this.give(userId, chain) : Promise.resolve(NOWHERE),
      ),
    );
    const list = rows.map((row): AccountAddresses => ({
      currency_id: row.currency.id,
      name: row.currency.name,
      addressErc: row.erc && erc ? erc.address : '',
      addressTrc: row.trc && trc ? trc.address : '',
      ercName: row.erc?.name ?? '',
      trcName: row.trc?.name ?? '',
    }));
    return { list: list.slice(0, size), total: list.length };
  }

  /** @throws Refused `common.notFound` for an unknown coin. */
  async info(userId: number, { currency: currencyId }: CoinBody): Promise<CoinInfo> {
    const coin = await this.wallet.detail(userId, currencyId);
    if (!coin) throw new Refused('common.notFound', {}, { field: 'currency' });
    const networks = this.there(currencyId).filter(({ openDeposit, openWithdraw }) => openDeposit || openWithdraw);
    const [first] = networks;
    const memo = networks.find((network) => network.memo);
    const [[profile], given] = await Promise.all([
      this.asks.ask(authAsks.profile, { userIds: [userId] }),
      memo ? this.store.find(userId, memo.chain) : Promise.resolve(null),
    ]);
    return {
      currency: currencyId,
      name: coin.currency_name,
      change_balance: coin.change_balance,
      legal_balance: coin.legal_balance,
      bank_account: '',
      wallet_data: { currency: currencyId, label: given?.memo ?? '' },
      make_wallet: memo ? 2 : 1,
      multi_protocol: coin.multi_protocol,
      type_data: networks.map((network) => ({
        id: network.id,
        type: network.type,
        name: network.name,
        contract_address: network.contractAddress,
        min_number: this.amount(network.minWithdrawal, currencyId),
        rate: trimZeros(network.feeRate),
        min_deposit: this.amount(network.minDeposit, currencyId),
      })),
      min_number: this.amount(first?.minWithdrawal ?? '0', currencyId),
      rate: trimZeros(first?.feeRate ?? '0'),
      extension_code: profile?.extensionCode ?? '',
      type: first?.type ?? '',
    };
  }

  /** Networks of a coin on chains of this install, including closed ones. */
  private there(currencyId: number): readonly NetworkRow[] {
    return this.networks.of(currencyId).filter(({ chain }) => this.chains.get(chain));
  }

  private on({ id }: CurrencyRow, chain: ChainName): NetworkRow | undefined {
    return this.there(id).find((network) => network.openDeposit && network.chain === chain);
  }

  private amount(text: string, currencyId: number): string {
    const scale = this.currencies.scaleOf(currencyId) ?? 8;
    return formatUnits(toUnits(text, scale), scale);
  }
}
