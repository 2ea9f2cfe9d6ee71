import { Injectable } from '@nestjs/common';
import type { Shop as ShownShop } from '@bourse/contract';
import { Commands, Sagas, type Saga } from '@bourse/ledger-client';
import { FundGate } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext, type Caller, type WrittenAmount, Ids } from '@bourse/platform';
import { submitForReview, type Shop, type ShopLevel } from '../domain/shop.js';
import { ShopCatalog } from './catalog.js';
import { createDepositOrder, createTransferOrder } from './journals.js';
import { ShopStore, type MerchantBalance } from './ports.js';
import { ShopViews } from './views.js';

/** Fields of an application, in the order of their refusals. */
export interface ShopApplication {
  readonly name: string;
  readonly currencyId: number;
  readonly level: ShopLevel;
  readonly password?: string | undefined;
}
/** Fields of a transfer between the legal and the merchant account. */
export interface MerchantTransfer {
  readonly shopId: number;
  readonly number: WrittenAmount;
  readonly direction: 'in' | 'out';
  readonly password?: string | undefined;
}
/** Maximum number of own shops in one answer; there are fewer coins. */
const OWN_SHOPS_MAX = 100;

/** Commands of people on their own shops: applying, transfers, lists (rules §6). */
@Injectable()
export class Shops {
  private readonly applications: Saga<{ readonly shown: ShownShop }>;
  private readonly transfers: Saga<{ readonly shown: ShownShop }>;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly store: ShopStore,
    private readonly views: ShopViews,
    private readonly catalog: ShopCatalog,
    private readonly fund: FundGate,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.applications = sagas.define<{ readonly shown: ShownShop }>({
      name: 'shop.apply',
      onPosted: async (tx, { object, note: { shown } }) => {
        await this.store.save(tx, submitForReview(await this.lockWaiting(tx, object)));
        return new Notice('shop.applied', { shop: shown });
      },
      onRefused: async (tx, { object }, refusal) => {
        await this.store.drop(tx, Number(object));
        return refusal;
      },
    });
    this.transfers = sagas.define<{ readonly shown: ShownShop }>({
      name: 'shop.transfer',
      onPosted: async (_tx, { note: { shown } }) => new Notice('shop.transferred', { shop: shown }),
      onRefused: async (_tx, _outcome, refusal) => refusal,
    });
  }

  /**
   * Applies for a shop: its deposit is held until support refuses it, and while it is open. @throws Refused
   * `common.fieldInvalid`, as `FundGate`, `legal.exists`, `balance.insufficient`
   */
  apply(userId: number, fields: ShopApplication, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => {
        const draft = this.createDraft(userId, fields);
        await this.fund.demand(userId, fields.password);
        const { available, held } = await this.views.findBalance(draft);
        const isOwnCoin = draft.currencyId === draft.depositCurrencyId;
        return { draft, balance: { available, held: isOwnCoin ? held + draft.deposit : held } };
      },
      decide: async (tx, { draft, balance }) => {
        const shop = { ...draft, id: await this.store.nextId(tx) };
        if (!(await this.store.insert(tx, shop))) throw new Refused('legal.exists', {}, { field: 'currency_id' });
        const note = { shown: this.views.toOwnView(shop, balance) };
        return this.applications.ask({ object: String(shop.id), note, command: createDepositOrder(shop) });
      },
    });
  }

  private createDraft(userId: number, { name, currencyId, level }: ShopApplication): Shop {
    const coin = this.catalog.requireCoin(currencyId);
    const { currencyId: depositCurrencyId, scale: depositScale, units: deposit } = this.catalog.requiredDeposit(level);
    return {
      ...{ id: 0, userId, name, level, depositCurrencyId, depositScale, deposit },
      currencyId: coin.id,
      currencyName: coin.name,
      state: 'waiting',
      createdAt: this.clock.now(),
      decidedAt: null,
    };
  }

  private async lockWaiting(tx: Tx, object: string): Promise<Shop> {
    const shop = await this.store.lock(tx, Number(object));
    if (shop?.state !== 'waiting') throw new Error(`invariant: shop ${object} does not wait for the ledger`);
    return shop;
  }

  /**
   * Transfers between the legal and the merchant account, in the coin of the shop. @throws Refused
   * `common.noPermission`, `common.notFound`, as the number, as `FundGate`, `legal.notOpen` for coins into a shop that
   * is not open, `balance.insufficient`
   */
  transfer(caller: Caller, fields: MerchantTransfer, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => {
        const { shopId, direction, password } = fields;
        const { userId } = caller;
        // A person without the role still gets their own coins back.
        const shop =
          direction === 'in' ? await this.requireOwnAsSeller(caller, shopId) : await this.requireOwn(caller, shopId);
        const { scale } = this.catalog.requireCoin(shop.currencyId);
        const units = fields.number.units(scale);
        await this.fund.demand(userId, password);
        if (direction === 'in' && shop.state !== 'open') throw new Refused('legal.notOpen', {}, { field: 'shop_id' });
        const [[before], balance] = await Promise.all([
          this.views.toOwnViews([shop], userId),
          this.views.findBalance(shop),
        ]);
        const after = addToBalance(balance, direction === 'in' ? units : -units);
        const shown = { ...before!, merchant_balance: formatUnits(after.available, scale) };
        const id = this.ids.next();
        const command = createTransferOrder(shop, id, direction, formatUnits(units, scale));
        return { object: id, note: { shown }, command };
      },
      decide: (_tx, begun) => Promise.resolve(this.transfers.ask(begun)),
    });
  }

  /**
   * Own shops, including refused ones. @throws Refused `common.noPermission` for a person without a shop who is not a
   * seller
   */
  async listOwn({ userId, isSeller }: Caller): Promise<ShownShop[]> {
    const { rows } = await this.store.list({ userId }, { page: 1, size: OWN_SHOPS_MAX, offset: 0 });
    if (rows.length === 0 && !isSeller) throw new Refused('common.noPermission');
    return this.views.toOwnViews(rows, userId);
  }

  /** A shop of the caller. @throws Refused `common.noPermission` unless the caller is a seller, `common.notFound` */
  async requireOwnAsSeller({ userId, isSeller }: Caller, shopId: number): Promise<Shop> {
    if (!isSeller) throw new Refused('common.noPermission');
    return this.requireOwn({ userId, isSeller }, shopId);
  }
  private async requireOwn({ userId, isSeller }: Pick<Caller, 'userId' | 'isSeller'>, shopId: number): Promise<Shop> {
    const shop = await this.store.find(shopId);
    if (shop?.userId === userId) return shop;
    throw isSeller ? new Refused('common.notFound', {}, { field: 'shop_id' }) : new Refused('common.noPermission');
  }
}

/** The balance that the caller saw, changed by this transfer alone; concurrent movements are not included. */
const addToBalance = ({ available, held }: MerchantBalance, by: bigint): MerchantBalance => ({
  available: available + by < 0n ? 0n : available + by,
  held,
});
