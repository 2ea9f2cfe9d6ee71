import { Injectable } from '@nestjs/common';
import {
  toFlag,
  type CoinBalance,
  type CurrencyRow,
  type Flag,
  type Product,
  type UserCurrency,
  type WalletGroup,
  type WalletList,
} from '@bourse/contract';
import { accountsWhere, isInternalCurrency } from '@bourse/events';
import { formatUnits, toUnits } from '@bourse/money';
import { IS_OPEN, Settings } from '@bourse/settings';
import { Currencies, mayHold } from '../../../ledger/application/currencies.js';
import { Networks } from '../../shared/application/networks.js';
import { LedgerReader, type BalanceRow } from '../../../ledger/application/ports.js';
import { Prices, PRICE_SCALE, ValueSum } from '../../shared/application/prices.js';

/** Accounts with a group of their own in the wallet. */
const PRODUCTS = accountsWhere(({ shownAs }) => shownAs !== null) as readonly Product[];
const ASSETS_SCALE = 4;

/** Balances in the shapes of the contract. */
@Injectable()
export class WalletView {
  constructor(
    private readonly reader: LedgerReader,
    private readonly currencies: Currencies,
    private readonly networks: Networks,
    private readonly prices: Prices,
    private readonly settings: Settings,
  ) {}

  /** Whether deposits and withdrawals are open (rules §15). */
  isOpen(): Flag {
    return toFlag(this.settings.get(IS_OPEN));
  }

  async list(userId: number, accountNumber: string): Promise<WalletList> {
    const rows = await this.reader.balances(userId);
    const coins = this.currencies.all().map((currency) => ({ currency, coin: this.coin(currency, rows) }));
    const group = (product: Product): WalletGroup => ({
      balance: coins.filter(({ currency }) => mayHold(currency, product)).map(({ coin }) => coin),
      usdt_totle: formatUnits(this.worth(rows.filter((row) => row.account === product)).at(PRICE_SCALE), PRICE_SCALE),
    });
    return {
      account_number: accountNumber,
      total_assets: formatUnits(this.worth(rows).at(ASSETS_SCALE), ASSETS_SCALE),
      list: coins.map(({ coin }) => ({
        token: coin.currency_name,
        balance: coin.change_balance,
        lock_balance: coin.lock_change_balance,
      })),
      change_wallet: group('change'),
      legal_wallet: group('legal'),
      lever_wallet: group('lever'),
      micro_wallet: group('micro'),
      is_open_CTbi: this.isOpen(),
    };
  }

  /** Balances of one coin in the four accounts; null for an unknown coin. */
  async detail(userId: number, currencyId: number): Promise<CoinBalance | null> {
    const currency = this.currencies.byId(currencyId);
    return currency ? this.coin(currency, await this.reader.balances(userId)) : null;
  }

  async ofUser(userId: number): Promise<UserCurrency[]> {
    const rows = await this.reader.balances(userId);
    return this.currencies.all().map((currency) => {
      const coin = this.coin(currency, rows);
      return {
        id: currency.id,
        name: currency.name,
        is_legal: coin.is_legal,
        is_lever: coin.is_lever,
        is_match: coin.is_match,
        is_micro: coin.is_micro,
        wallet: {
          lever_balance: coin.lever_balance,
          micro_balance: coin.micro_balance,
          change_balance: coin.change_balance,
          legal_balance: coin.legal_balance,
        },
      };
    });
  }

  private coin(currency: CurrencyRow, rows: readonly BalanceRow[]): CoinBalance {
    const text = (product: Product, state: 'available' | 'held'): string => {
      const row = rows.find((candidate) => candidate.currency === currency.id && candidate.account === product);
      return formatUnits(row ? toUnits(row[state], currency.scale) : 0n, currency.scale);
    };
    const amounts = Object.fromEntries(
      PRODUCTS.flatMap((product) => [
        [`${product}_balance`, text(product, 'available')],
        [`lock_${product}_balance`, text(product, 'held')],
      ]),
    ) as Pick<
      CoinBalance,
      | 'change_balance'
      | 'lock_change_balance'
      | 'legal_balance'
      | 'lock_legal_balance'
      | 'lever_balance'
      | 'lock_lever_balance'
      | 'micro_balance'
      | 'lock_micro_balance'
    >;
    return {
      currency: currency.id,
      currency_name: currency.name,
      ...amounts,
      usdt_price: formatUnits(this.prices.usdt(currency.id), PRICE_SCALE),
      is_match: toFlag(currency.isMatch),
      is_legal: toFlag(currency.isLegal),
      is_lever: toFlag(currency.isLever),
      is_micro: toFlag(currency.isMicro),
      multi_protocol: toFlag(currency.multiProtocol),
      contract_address: this.networks.of(currency.id)[0]?.contractAddress ?? '',
      is_show_memo: toFlag(currency.showMemo),
      currency_type: currency.kind,
      ExRate: this.prices.cnyPerUsdt(),
    };
  }

  /** Value of available and held amounts together (rules §8.1). */
  private worth(rows: readonly BalanceRow[]): ValueSum {
    const sum = new ValueSum();
    for (const { currency, available, held } of rows) {
      const scale = this.currencies.scaleOf(currency);
      if (scale !== undefined && !isInternalCurrency(currency))
        sum.add(this.prices.value(toUnits(available, scale) + toUnits(held, scale), currency), scale + PRICE_SCALE);
    }
    return sum;
  }
}
