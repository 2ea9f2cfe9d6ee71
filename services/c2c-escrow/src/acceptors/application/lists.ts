import { Injectable } from '@nestjs/common';
import type { Acceptor, AcceptorDeal as ShownDeal, AcceptorInfo, DataPage } from '@bourse/contract';

import { Parties, WorkPart } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import { Refused, type Caller, type Page } from '@bourse/platform';
import { isObjected, type AcceptorDeal } from '../domain/acceptor-deal.js';
import { shownAcceptor, shownAcceptorInfo } from './answers.js';
import { AcceptorCatalog } from './catalog.js';
import {
  AcceptorBalances,
  AcceptorDealStore,
  AcceptorDebts,
  AcceptorStore,
  type AcceptorDealFilter,
  type AcceptorRow,
} from './ports.js';
import { AcceptorViews } from './views.js';
import { pageOf } from '../../shared/application/pages.js';

/** A deal as operators see it: with its two parties, and the picture of an objection. */
export type OperatorsDeal = ShownDeal & {
  readonly user_id: number;
  readonly acceptor_user_id: number;
  readonly objection_pic: string;
  /** Finance has to decide it. */
  readonly objected: 0 | 1;
};

/** Acceptors, and deals with them, as each may see them. */
@Injectable()
export class AcceptorLists extends WorkPart {
  constructor(
    private readonly store: AcceptorStore,
    private readonly deals: AcceptorDealStore,
    private readonly balances: AcceptorBalances,
    private readonly catalog: AcceptorCatalog,
    private readonly views: AcceptorViews,
    private readonly parties: Parties,
    private readonly debts: AcceptorDebts,
  ) {
    super();
  }

  /** Open work of operators: deals that somebody has objected to. */
  async work(): Promise<Readonly<Record<'acceptor_deals', number>>> {
    const { total } = await this.deals.list({ isObjected: true }, { size: 1, offset: 0 });
    return { acceptor_deals: total };
  }

  /** Those who take deals now; for operators also those who lost the role or owe something. */
  async acceptors(all: boolean): Promise<Acceptor[]> {
    const { scale } = this.catalog.coin();
    const known = await this.store.list();
    const acting = await this.parties.acceptorsAmong(known.map(({ userId }) => userId));
    const owed = await this.debts.owed(known.map(({ userId }) => userId));
    const rows = known.filter(({ userId }) => all || (acting.has(userId) && !owed.has(userId)));
    return Promise.all(
      rows.map(async (row) => ({
        ...shownAcceptor(row, await this.balances.of(row.userId), scale),
        ...(all ? { debt: formatUnits(owed.get(row.userId) ?? 0n, scale) } : {}),
      })),
    );
  }

  /** @throws Refused `common.notFound`. */
  async info(caller: Caller, id: number): Promise<AcceptorInfo> {
    const row = await this.store.byId(id);
    if (!row) throw new Refused('common.notFound', {}, { field: 'id' });
    return this.infoOf(row, caller.userId);
  }
  /** @throws Refused `common.noPermission`. */
  async account(caller: Caller): Promise<AcceptorInfo> {
    const [info, owed] = await Promise.all([
      this.infoOf(await this.own(caller), caller.userId),
      this.debts.owed([caller.userId]),
    ]);
    return { ...info, debt: formatUnits(owed.get(caller.userId) ?? 0n, this.catalog.coin().scale) };
  }
  private async infoOf(row: AcceptorRow, userId: number): Promise<AcceptorInfo> {
    const [purse, { legal }] = await Promise.all([this.balances.of(row.userId), this.balances.of(userId)]);
    return shownAcceptorInfo(row, purse, legal, this.catalog.coin().scale);
  }

  /** @throws Refused `common.noPermission`. */
  async orders(caller: Caller, filter: AcceptorDealFilter, page: Page): Promise<DataPage<ShownDeal>> {
    await this.own(caller);
    const found = await this.deals.list({ ...filter, acceptorId: caller.userId }, page);
    return pageOf(found, page, (deal) => this.shown(deal, 'acceptor', caller));
  }
  async mine(caller: Caller, filter: AcceptorDealFilter, page: Page): Promise<DataPage<ShownDeal>> {
    const found = await this.deals.list({ ...filter, userId: caller.userId }, page);
    return pageOf(found, page, (deal) => this.shown(deal, 'person', caller));
  }
  /** To programs with an API key nothing that a person wrote, and nothing of another person. */
  private shown(deal: AcceptorDeal, viewer: 'person' | 'acceptor', { kind, lang }: Caller): ShownDeal {
    return kind === 'apikey' ? { ...this.views.bare(deal, lang), reason: '' } : this.views.deal(deal, viewer, lang);
  }
  /** For operators. */
  async all(caller: Caller, filter: AcceptorDealFilter, page: Page): Promise<DataPage<OperatorsDeal>> {
    return pageOf(await this.deals.list(filter, page), page, (deal: AcceptorDeal) => ({
      ...this.views.deal(deal, 'operator', caller.lang),
      user_id: deal.userId,
      acceptor_user_id: deal.acceptorId,
      objection_pic: this.views.objection(deal),
      objected: isObjected(deal) ? 1 : 0,
    }));
  }

  /** Whoever lost the role still reads what is theirs. */
  private async own({ userId }: Caller): Promise<AcceptorRow> {
    const row = await this.store.byUser(userId);
    if (!row) throw new Refused('common.noPermission');
    return row;
  }
}
