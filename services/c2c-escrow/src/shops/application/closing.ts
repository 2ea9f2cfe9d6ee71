import { Injectable, Logger } from '@nestjs/common';
import type { Shop as ShownShop } from '@bourse/contract';
import { Commands, Sagas, type Saga } from '@bourse/ledger-client';
import { FundGate, Parties } from '@bourse/messaging';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock, Ids, Notice, Refused, type CallContext, type Caller } from '@bourse/platform';
import { closeShop, beginClosing, type Shop } from '../domain/shop.js';
import { C2cDatabase } from '../../shared/application/database.js';
import { OPENED_REASON, ROLE_TIMER } from './admin.js';
import { ShopCatalog } from './catalog.js';
import { createCloseOrder } from './journals.js';
import { ShopStore } from './ports.js';
import { ShopViews } from './views.js';
import { Shops } from './shops.js';

const REASON = 'no shop of the person is open';
const FIRST_ROW = { page: 1, size: 1, offset: 0 } as const;

export interface CloseFields {
  readonly shopId: number;
  readonly password?: string | undefined;
}

/** Closes shops for their owners: deposit and merchant balance go back to the legal account (rules §6). */
@Injectable()
export class ShopClosing {
  private readonly logger = new Logger(ShopClosing.name);
  private readonly closings: Saga<{ readonly shown: ShownShop }>;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly database: C2cDatabase,
    private readonly shops: Shops,
    private readonly store: ShopStore,
    private readonly views: ShopViews,
    private readonly catalog: ShopCatalog,
    private readonly fund: FundGate,
    private readonly parties: Parties,
    private readonly timers: Timers,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.closings = sagas.define<{ readonly shown: ShownShop }>({
      name: 'shop.close',
      onPosted: async (tx, { object, note: { shown } }) => {
        const shop = closeShop(await this.lockClosing(tx, object), this.clock.now());
        await this.store.save(tx, shop);
        // Auth may be unavailable: the timer revokes the role after the commit, or later.
        await this.timers.set(tx, ROLE_TIMER, String(shop.userId), this.clock.now());
        return new Notice('legal.closed', { shop: shown });
      },
      // The merchant account has less than a moment ago: the shop stays open, and the next try asks again.
      onRefused: async (tx, { object }) => {
        await this.store.save(tx, { ...(await this.lockClosing(tx, object)), state: 'open' });
        return new Refused('common.unavailable', {}, { retryAfterSeconds: 1 });
      },
    });
    this.timers.handle(ROLE_TIMER, ({ id }) => this.dropRole(Number(id)));
  }

  /**
   * @throws Refused `common.noPermission`, `common.notFound`, as `FundGate`, `legal.notOpen`, and `legal.busy` while an
   * ad is on the shelf or a deal is unfinished
   */
  async close(caller: Caller, fields: CloseFields, context: CallContext): Promise<Notice> {
    const answer = await this.commands.run(context, {
      prepare: async () => {
        const { shopId, password } = fields;
        const seen = await this.shops.requireOwnAsSeller(caller, shopId);
        await this.fund.demand(caller.userId, password);
        const { scale } = this.catalog.requireCoin(seen.currencyId);
        const [{ available, held }, [figures]] = await Promise.all([
          this.views.findBalance(seen),
          this.views.toPublicViews([seen]),
        ]);
        const { deals, done_rate, release_seconds } = figures!;
        return { shopId, scale, available, held, figures: { deals, done_rate, release_seconds } };
      },
      decide: async (tx, { shopId, scale, available, held, figures }) => {
        const shop = await this.store.lock(tx, shopId);
        if (!shop) throw new Refused('common.notFound', {}, { field: 'shop_id' });
        const outcome = beginClosing(shop, await this.store.isBusy(tx, shopId));
        if (typeof outcome === 'string') throw new Refused(outcome, {}, { field: 'shop_id' });
        await this.store.save(tx, outcome);
        const isOwnCoin = shop.currencyId === shop.depositCurrencyId;
        const balance = { available: 0n, held: isOwnCoin ? held - shop.deposit : held };
        const shown = { ...this.views.toOwnView(closeShop(shop, this.clock.now()), balance), ...figures };
        const command = createCloseOrder(shop, available, scale, this.ids.next());
        return this.closings.ask({ object: String(shopId), note: { shown }, command });
      },
    });
    await this.dropRoleNow(caller.userId).catch((error: unknown) => {
      this.logger.warn(`revoking the role of ${caller.userId} is retried: ${String(error)}`);
    });
    return answer;
  }

  private async dropRoleNow(userId: number): Promise<void> {
    await this.dropRole(userId);
    await this.database.transaction((tx) => this.timers.cancel(tx, ROLE_TIMER, String(userId)));
  }
  /**
   * Revokes the role of a seller from a person without an open shop. No lock lasts while auth is asked: with
   * `ShopAdmin.keepSeller` a shop that opens meanwhile has a seller as its owner. @throws AskUnavailable while auth is
   * unavailable
   */
  private async dropRole(userId: number): Promise<void> {
    if (await this.hasShop(userId)) return;
    // Most people whose shop was refused have never been sellers.
    if ((await this.parties.facts([userId])).get(userId)?.isSeller === false) return;
    await this.parties.setRole(userId, { isSeller: false }, REASON);
    // Support may have opened another shop between the two.
    if (await this.hasShop(userId)) await this.parties.setRole(userId, { isSeller: true }, OPENED_REASON);
  }
  private async hasShop(userId: number): Promise<boolean> {
    const states = ['open', 'closing'] as const;
    const found = await Promise.all(states.map((state) => this.store.list({ userId, state }, FIRST_ROW)));
    return found.some(({ total }) => total > 0);
  }

  private async lockClosing(tx: Tx, object: string): Promise<Shop> {
    const shop = await this.store.lock(tx, Number(object));
    if (shop?.state !== 'closing') throw new Error(`invariant: shop ${object} is not being closed`);
    return shop;
  }
}
