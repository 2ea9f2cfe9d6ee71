import { Injectable } from '@nestjs/common';
import type {
  AccountAddresses,
  ChainName,
  CoinInfo,
  CurrencyRow,
  DepositAddressExtra,
  NetworkRow,
} from '@bourse/contract';
import { Asks } from '@bourse/messaging';
import { formatUnits, toUnits, trimZeros } from '@bourse/money';
import { Refused } from '@bourse/platform';
import { tagOf } from '../../domain/deposit/memo.js';
import { Chains } from '../chain/chain.js';
import { Signer } from '../chain/signer.js';
import { Currencies } from '../../../ledger/application/currencies.js';
import { Networks } from '../networks.js';
import { WalletView } from '../wallet-view.js';
import { DepositAddressStore, type GivenAddress } from './ports.js';
import type { CoinBody, CoinNetworkBody, OwnAddressesBody } from '../fields.js';

const NOWHERE: GivenAddress = { address: '', memo: '' };
const ADDRESSES_MAX = 100;

/** Addresses that people deposit to, and what they must know of a coin's networks. */
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

  /** Networks of a coin whose chains this install has, the default first. */
  open(currencyId: number): readonly NetworkRow[] {
    return this.networks.of(currencyId).filter(({ chain }) => this.chains.get(chain));
  }

  /**
   * A person's address on a chain, for all coins there: made at the first call, theirs for ever. Where all share an
   * address, the memo is theirs.
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
   * network.
   */
  async forCoin(
    userId: number,
    fields: CoinNetworkBody,
  ): Promise<{ readonly address: string; readonly extra: DepositAddressExtra }> {
    const { currency: currencyId } = fields;
    const network = this.chosen(currencyId, fields.type);
    const { address, memo } = await this.give(userId, network.chain);
    return {
      address,
      extra: { memo, min_deposit: this.amount(network.minDeposit, currencyId), confirmations: network.confirmations },
    };
  }

  /** `type` is a network's id; without it the default. @throws Refused `wallet.protocol` */
  chosen(currencyId: number, type: number | undefined): NetworkRow {
    const networks = this.open(currencyId);
    const network = type === undefined ? networks[0] : networks.find(({ id }) => id === type);
    if (!network) throw new Refused('wallet.protocol', {}, { field: 'type' });
    return network;
  }

  /** The caller's own address on Ethereum; empty where the install has no such chain. */
  async ethereum(userId: number): Promise<string> {
    return this.chains.get('ethereum') ? (await this.give(userId, 'ethereum')).address : '';
  }

  /** The caller's own addresses of coins on Ethereum and TRON, by part of a coin's name. */
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

  /** @throws Refused `common.notFound` for a coin that there is not. */
  async info(userId: number, { currency: currencyId }: CoinBody): Promise<CoinInfo> {
    const coin = await this.wallet.detail(userId, currencyId);
    if (!coin) throw new Refused('common.notFound', {}, { field: 'currency' });
    const networks = this.open(currencyId);
    const [first] = networks;
    const memo = networks.find((network) => network.memo);
    const [[profile], given] = await Promise.all([
      this.asks.ask<{ userIds: number[] }, { readonly extensionCode: string }[]>('auth.profile', { userIds: [userId] }),
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
      type_data: networks.map(({ id, type, name, contractAddress, minWithdrawal, feeRate, minDeposit }) => ({
        id,
        type,
        name,
        contract_address: contractAddress,
        min_number: this.amount(minWithdrawal, currencyId),
        rate: trimZeros(feeRate),
        min_deposit: this.amount(minDeposit, currencyId),
      })),
      min_number: this.amount(first?.minWithdrawal ?? '0', currencyId),
      rate: trimZeros(first?.feeRate ?? '0'),
      extension_code: profile?.extensionCode ?? '',
      type: first?.type ?? '',
    };
  }

  private on({ id }: CurrencyRow, chain: ChainName): NetworkRow | undefined {
    return this.open(id).find((network) => network.chain === chain);
  }

  private amount(text: string, currencyId: number): string {
    const scale = this.currencies.scaleOf(currencyId) ?? 8;
    return formatUnits(toUnits(text, scale), scale);
  }
}
