import { Injectable } from '@nestjs/common';
import {
  toDataPage,
  type Acceptor,
  type AcceptorDeal as ShownDeal,
  type AcceptorInfo,
  type DataPage,
} from '@bourse/contract';

import { Parties, WorkPart } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import { Refused, type CallContext, type Caller, type Page } from '@bourse/platform';
import { isObjected, type AcceptorDeal } from '../domain/acceptor-deal.js';
import { toAcceptorView, toAcceptorInfoView } from './answers.js';
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

/** A deal for operators: with both user ids and the picture of an objection. */
export type OperatorDealView = ShownDeal & {
  readonly user_id: number;
  readonly acceptor_user_id: number;
  readonly objection_pic: string;
  /** Whether finance must decide the deal. */
  readonly objected: 0 | 1;
};

type Lang = CallContext['lang'];

/** Lists of acceptors and of deals with them, in the language of the call. */
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

  /** Open work of operators: deals with an objection. */
  async work(): Promise<Readonly<Record<'acceptor_deals', number>>> {
    const { total } = await this.deals.list({ isObjected: true }, { size: 1, offset: 0 });
    return { acceptor_deals: total };
  }

  /** Acceptors that take deals now; operators also see those without the role or with a debt. */
  async listAcceptors(all: boolean): Promise<Acceptor[]> {
    const { scale } = this.catalog.requireCoin();
    const known = await this.store.list();
    const acting = await this.parties.acceptorsAmong(known.map(({ userId }) => userId));
    const owed = await this.debts.findOwed(known.map(({ userId }) => userId));
    const rows = known.filter(({ userId }) => all || (acting.has(userId) && !owed.has(userId)));
    return Promise.all(
      rows.map(async (row) => ({
        ...toAcceptorView(row, await this.balances.findBalance(row.userId), scale),
        ...(all ? { debt: formatUnits(owed.get(row.userId) ?? 0n, scale) } : {}),
      })),
    );
  }

  /** @throws Refused `common.notFound`. */
  async findInfo(caller: Caller, id: number): Promise<AcceptorInfo> {
    const row = await this.store.findById(id);
    if (!row) throw new Refused('common.notFound', {}, { field: 'id' });
    return this.toInfo(row, caller.userId);
  }
  /** @throws Refused `common.noPermission`. */
  async findAccount(caller: Caller): Promise<AcceptorInfo> {
    const [info, owed] = await Promise.all([
      this.toInfo(await this.requireAcceptor(caller), caller.userId),
      this.debts.findOwed([caller.userId]),
    ]);
    return { ...info, debt: formatUnits(owed.get(caller.userId) ?? 0n, this.catalog.requireCoin().scale) };
  }
  private async toInfo(row: AcceptorRow, userId: number): Promise<AcceptorInfo> {
    const [balance, { legal }] = await Promise.all([
      this.balances.findBalance(row.userId),
      this.balances.findBalance(userId),
    ]);
    return toAcceptorInfoView(row, balance, legal, this.catalog.requireCoin().scale);
  }

  /** @throws Refused `common.noPermission`. */
  async listOrders(caller: Caller, filter: AcceptorDealFilter, page: Page, lang: Lang): Promise<DataPage<ShownDeal>> {
    await this.requireAcceptor(caller);
    const found = await this.deals.list({ ...filter, acceptorId: caller.userId }, page);
    return toDataPage(found, page, (deal) => this.toView(deal, 'acceptor', caller, lang));
  }
  async listOwnDeals(caller: Caller, filter: AcceptorDealFilter, page: Page, lang: Lang): Promise<DataPage<ShownDeal>> {
    const found = await this.deals.list({ ...filter, userId: caller.userId }, page);
    return toDataPage(found, page, (deal) => this.toView(deal, 'person', caller, lang));
  }
  /** A caller with an API key gets no free text and no data of the other person. */
  private toView(deal: AcceptorDeal, viewer: 'person' | 'acceptor', { kind }: Caller, lang: Lang): ShownDeal {
    return kind === 'apikey'
      ? { ...this.views.toBareView(deal, lang), reason: '' }
      : this.views.toView(deal, viewer, lang);
  }
  /** For operators. */
  async listForOperators(filter: AcceptorDealFilter, page: Page, lang: Lang): Promise<DataPage<OperatorDealView>> {
    return toDataPage(await this.deals.list(filter, page), page, (deal: AcceptorDeal) => ({
      ...this.views.toView(deal, 'operator', lang),
      user_id: deal.userId,
      acceptor_user_id: deal.acceptorId,
      objection_pic: this.views.signObjection(deal),
      objected: isObjected(deal) ? 1 : 0,
    }));
  }

  /** A person without the role still reads their own deals. */
  private async requireAcceptor({ userId }: Caller): Promise<AcceptorRow> {
    const row = await this.store.findByUser(userId);
    if (!row) throw new Refused('common.noPermission');
    return row;
  }
}
