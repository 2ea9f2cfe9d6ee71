import { Injectable } from '@nestjs/common';
import type { BoundAddress, CurrencyRow, NetworkRow } from '@bourse/contract';
import { Asks, authAsks } from '@bourse/messaging';
import { Clock, Config, Refused, SecurityLog, timeText } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { destinationOf, type Destination } from '../../shared/domain/address/index.js';
import { Chains } from '../../chains/application/chain.js';
import { Currencies } from '../../../ledger/application/currencies.js';
import { Networks } from '../../shared/application/networks.js';
import { UseCaseDatabase } from '../../../ledger/application/use-case-database.js';
import { addressWaitMs } from '../../shared/application/settings.js';
import { isDrawSignature, readDrawData, signDraw, type DrawData } from './draw-signature.js';
import { AddressStore, type BoundRow } from './ports.js';
import type { SignAddressBody } from './fields.js';

const TEXT_MAX = 120;
/** Maximum distance of a signed binding's time from now, past or future. Real time, ms. */
const SIGNED_MS = 60_000;

export interface DrawAddresses {
  user_id: number;
  coin_name: string;
  contract_address: string;
  address: string;
  memo: string;
  list: BoundAddress[];
}
/** Codes of the middleware other than 0 (api §3). */
export type BindingRefusal = {
  readonly code: 1 | 2 | 3 | 4 | 5;
  readonly key: string;
  readonly params?: Readonly<Record<string, string | number>>;
};
export type Binding = { readonly address_id: number; readonly usable_at: string };

/** Bound withdrawal addresses of people (rules §8.5): lists, removes, signs for binding, binds. */
@Injectable()
export class BoundAddresses {
  constructor(
    private readonly store: AddressStore,
    private readonly database: UseCaseDatabase,
    private readonly currencies: Currencies,
    private readonly networks: Networks,
    private readonly chains: Chains,
    private readonly asks: Asks,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly security: SecurityLog,
    private readonly settings: Settings,
  ) {}

  async list(userId: number, currencyId: number): Promise<BoundAddress[]> {
    return (await this.store.list(userId, currencyId)).map((row) => this.view(row));
  }

  /** @throws Refused `common.notFound` when the person has no such address. */
  async remove(userId: number, id: number): Promise<void> {
    if (!(await this.store.remove(userId, id, this.clock.now())))
      throw new Refused('common.notFound', {}, { field: 'address_id' });
    this.security.record('address.removed', { user_id: userId, address_id: id });
  }

  /**
   * Bound addresses of a coin, restricted to a contract if one is named; `address` is the newest. @throws Refused
   * `common.notFound` for an unknown coin.
   */
  async draw(userId: number, coinName: string, contract: string): Promise<DrawAddresses> {
    const currency = this.coin(coinName);
    if (!currency) throw new Refused('common.notFound', {}, { field: 'coin_name' });
    const networks = new Set(this.networksOf(currency, contract).map(({ id }) => id));
    const list = (await this.list(userId, currency.id)).filter(({ type }) => networks.has(type));
    return {
      user_id: userId,
      coin_name: currency.name,
      contract_address: contract,
      address: list[0]?.address ?? '',
      memo: list[0]?.memo ?? '',
      list,
    };
  }

  /**
   * The body that the client posts to bind an address: the fields with the person and the time, signed. @throws Refused
   * `wallet.addressRequired`, `common.notFound`, `wallet.addressInvalid`, `wallet.memoRequired`, `set.enterCode`.
   */
  sign(userId: number, fields: SignAddressBody): { data: string; signature: string } {
    const { address } = fields;
    const currency = this.coin(fields.coinName);
    if (!currency) throw new Refused('common.notFound', {}, { field: 'coin_name' });
    const contract = fields.contractAddress ?? '';
    const memo = fields.memo ?? '';
    const found = this.destination(currency, contract, address, memo);
    if ('wrong' in found)
      throw found.wrong === 'memo'
        ? new Refused('wallet.memoRequired', {}, { field: 'memo' })
        : new Refused('wallet.addressInvalid', {}, { field: 'address' });
    const { verificationCode: code } = fields;
    const timestamp = this.clock.real();
    const data: DrawData = {
      user_id: String(userId),
      address,
      coin_name: currency.name,
      contract_address: contract,
      memo,
      verification_code: code,
      timestamp: String(timestamp),
    };
    return {
      data: JSON.stringify({ ...data, user_id: userId, timestamp }),
      signature: signDraw(data, this.config.walletMiddlewareSecret),
    };
  }

  /** Binds an address. Checks in the order of api §3: signature, time, single use of the signature, code, address. */
  async bind(
    userId: number,
    text: string | undefined,
    signature: string | undefined,
  ): Promise<Binding | BindingRefusal> {
    const data = text === undefined ? null : readDrawData(text);
    if (!data || signature === undefined || data.user_id !== String(userId))
      return { code: 1, key: 'common.badRequest' };
    if (!isDrawSignature(data, signature, this.config.walletMiddlewareSecret))
      return { code: 2, key: 'middleware.signature' };
    if (!/^\d{1,15}$/.test(data.timestamp) || Math.abs(this.clock.real() - Number(data.timestamp)) > SIGNED_MS)
      return { code: 3, key: 'middleware.timestamp' };
    if (!(await this.store.useSignature(signature))) return { code: 2, key: 'middleware.signature' };
    const currency = this.coin(data.coin_name);
    if (!currency) return { code: 1, key: 'common.badRequest' };
    const used = await this.asks.ask(authAsks.useCode, { userId, scene: 'draw_address', code: data.verification_code });
    if (!used.ok) return { code: 4, key: used.key, params: used.params };
    const found = this.destination(currency, data.contract_address, data.address, data.memo);
    if ('wrong' in found) return { code: 5, key: 'wallet.addressInvalid' };
    const now = this.clock.now();
    const { id, usableAt } = await this.database.transaction((tx) =>
      this.store.bind(tx, {
        userId,
        currencyId: currency.id,
        networkId: found.network.id,
        ...found.destination,
        createdAt: now,
        usableAt: now + addressWaitMs(this.settings),
      }),
    );
    this.security.record('address.bound', {
      user_id: userId,
      address_id: id,
      currency_id: currency.id,
      address: found.destination.address,
    });
    return { address_id: id, usable_at: timeText(usableAt) };
  }

  /** The id of an existing coin. @throws Refused `common.notFound` */
  known(id: number): number {
    if (!this.currencies.byId(id)) throw new Refused('common.notFound', {}, { field: 'currency' });
    return id;
  }

  /** The network of this address: the one of the contract, or else the first of the coin's that accepts it. */
  private destination(
    currency: CurrencyRow,
    contract: string,
    address: string,
    memo: string,
  ): { readonly network: NetworkRow; readonly destination: Destination } | { readonly wrong: 'address' | 'memo' } {
    let wrong: 'address' | 'memo' = 'address';
    for (const network of this.networksOf(currency, contract)) {
      const parsed =
        address.length > TEXT_MAX
          ? ({ ok: false, wrong: 'address' } as const)
          : destinationOf(network, address, network.memo ? memo : '');
      // On a network with memos an exchange's address without one identifies no account, so a binding needs both.
      if (parsed.ok && (!network.memo || parsed.destination.memo !== ''))
        return { network, destination: parsed.destination };
      if (parsed.ok || parsed.wrong === 'memo') wrong = 'memo';
    }
    return { wrong };
  }

  private networksOf(currency: CurrencyRow, contract: string): NetworkRow[] {
    return this.networks
      .of(currency.id)
      .filter(
        ({ chain, contractAddress }) =>
          this.chains.get(chain) !== undefined && (contract === '' || sameContract(contract, contractAddress)),
      );
  }

  private coin(name: string): CurrencyRow | undefined {
    return this.currencies.all().find((row) => row.name === name.toUpperCase());
  }

  private view(row: BoundRow): BoundAddress {
    return {
      id: row.id,
      address_id: row.id,
      address: row.address,
      coin_name: this.currencies.nameOf(row.currencyId),
      currency: row.currencyId,
      type: row.networkId,
      contract_address: this.networks.byId(row.networkId)?.contractAddress ?? '',
      memo: row.memo,
      created_at: timeText(row.createdAt),
      usable_at: timeText(row.usableAt),
    };
  }
}

/** Hexadecimal addresses may be written in either case. */
const sameContract = (one: string, other: string): boolean =>
  /^0x/i.test(one) ? one.toLowerCase() === other.toLowerCase() : one === other;
