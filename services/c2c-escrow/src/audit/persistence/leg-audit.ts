import { Injectable, Logger } from '@nestjs/common';
import { PartsAudit, type AuditCheck, type AuditPart } from '@bourse/messaging';
import { rescale, toUnits } from '@bourse/money';
import { ACCEPTOR_CAUSE } from '../../acceptors/application/journals.js';
import { DEAL_CAUSE } from '../../deals/application/escrow.js';
import { LedgerTotals } from '../application/ledger-totals.js';
import { C2cDatabase } from '../../shared/application/database.js';
import { CASH_SCALE, type AcceptorDealState, type AcceptorDealType } from '../../acceptors/domain/acceptor-deal.js';
import type { AdType, OwnerAccount } from '../../deals/domain/ad.js';
import type { DealState } from '../../deals/domain/deal.js';
import { expectAcceptorDealTotals, expectDealTotals, describeTotals } from '../domain/expected-totals.js';

/** Objects per run: the latest ended ones, the next by id, and acceptors. */
const LATEST_PER_RUN = 100;
const NEXT_PER_RUN = 400;
const ACCEPTORS_PER_RUN = 20;
/** Each run repeats the wrong ones of the run before, up to this number. */
const WRONG_MAX = 20;

/** Expected totals of an object, in the snapshot of one statement. */
interface ExpectedTotals {
  readonly id: string;
  /** A saga has not ended, so the ledger's bookings are not known. */
  readonly isUnderWay: boolean;
  /** Equal text for equal totals. */
  readonly expected: string;
}
/** A kind of objects; a query in place of `$which` selects the rows. */
interface AuditedKind {
  readonly cause: string;
  readonly table: string;
  readonly ended: string;
  readonly load: (database: C2cDatabase, which: string, params: readonly unknown[]) => Promise<ExpectedTotals[]>;
}

const SAGA = `exists (select from saga s where s.object = d.id::text)`;
/** An appeal waits for the ledger, or coins that it had held go back. */
const APPEAL_UNDER_WAY = `exists (select from appeal a where a.deal_id = d.id
  and (a.state = 'waiting' or exists (select from saga s where s.object = a.id::text)))`;
const DEALS: AuditedKind = {
  cause: DEAL_CAUSE,
  table: 'deal',
  ended: 'ended_at is not null order by ended_at desc',
  load: async (database, which, params) => {
    const rows = await database.query<{
      readonly id: string;
      readonly type: AdType;
      readonly owner_id: string;
      readonly taker_id: string;
      readonly seller_account: OwnerAccount;
      readonly currency_id: number;
      readonly scale: number;
      readonly number: string;
      readonly fee: string;
      readonly state: DealState;
      readonly under_way: boolean;
    }>(
      `select d.id::text, d.type, d.owner_id::text, d.taker_id::text, d.seller_account, d.currency_id, d.scale,
         d.number::text, d.fee::text, d.state,
         ${SAGA} or ${APPEAL_UNDER_WAY} as under_way
       from (${which}) d`,
      params,
    );
    return rows.map(({ number, fee, scale, ...row }) => ({
      id: row.id,
      isUnderWay: row.under_way,
      expected: describeTotals(
        expectDealTotals({
          ...{ id: row.id, type: row.type, ownerId: Number(row.owner_id), takerId: Number(row.taker_id) },
          ...{ sellerAccount: row.seller_account, currencyId: row.currency_id, scale, state: row.state },
          ...{ number: toUnits(number, scale), fee: toUnits(fee, scale) },
        }),
      ),
    }));
  },
};
const ACCEPTOR_DEALS: AuditedKind = {
  cause: ACCEPTOR_CAUSE,
  table: 'acceptor_deal',
  ended: `state in ('confirmed', 'rejected') order by updated_at desc`,
  load: async (database, which, params) => {
    const rows = await database.query<{
      readonly id: string;
      readonly type: AcceptorDealType;
      readonly user_id: string;
      readonly acceptor_id: string;
      readonly currency_id: number;
      readonly scale: number;
      readonly coins: string;
      readonly cash: string;
      readonly state: AcceptorDealState;
      readonly missing: string;
      readonly under_way: boolean;
    }>(
      `select d.id::text, d.type, d.user_id::text, d.acceptor_id::text, d.currency_id, d.scale, d.coins::text,
         d.cash::text, d.state, d.missing::text, ${SAGA} as under_way
       from (${which}) d`,
      params,
    );
    return rows.map(({ type, scale, ...row }) => {
      const [coins, cash] = [toUnits(row.coins, scale), toUnits(row.cash, CASH_SCALE)];
      return {
        id: row.id,
        isUnderWay: row.under_way,
        expected: describeTotals(
          expectAcceptorDealTotals({
            ...{ type, userId: Number(row.user_id), acceptorId: Number(row.acceptor_id), state: row.state },
            ...{ currencyId: row.currency_id, scale, received: type === 'buy' ? coins : cash },
            money: type === 'buy' ? cash : rescale(coins, scale, CASH_SCALE, 'down'),
            missing: toUnits(row.missing, scale),
          }),
        ),
      };
    });
  },
};

/** Expected cash of acceptors; a query in place of `$which` selects them: granted cash and the cash of their deals. */
const selectQuotas = (which: string): string => `
  select a.user_id::text as id, trim_scale(a.granted + coalesce(d.cash, 0))::text as expected,
    a.granting or exists (
      select from saga s join acceptor_deal o on o.id::text = s.object where o.acceptor_id = a.user_id) as "isUnderWay"
  from (${which}) a
  left join lateral (
    select sum(case type when 'buy' then cash else -cash end) as cash
    from acceptor_deal where acceptor_id = a.user_id and state = 'confirmed') d on true`;

/** Walks through the rows of one table in pieces, and repeats the wrong ones. */
class AuditCursor {
  /** The next piece begins above this id. */
  after = '0';
  wrong: readonly string[] = [];

  /** Moves the cursor behind a piece. */
  advance(piece: readonly ExpectedTotals[], size: number): void {
    const last = piece.reduce((most, { id }) => (BigInt(id) > BigInt(most) ? id : most), '0');
    this.after = piece.length < size ? '0' : last;
  }
}

/**
 * Compares deals and acceptors with the ledger: the journals of each deal match its state, and each acceptor's quota
 * matches its grant and its deals (rules §7). Objects with a saga under way are skipped. An object without one has all
 * its answers, so the ledger has all its journals; a difference counts only if the expected totals are the same
 * afterwards. No state is reached twice with different movements, so a change between the two reads causes no false
 * difference.
 */
@Injectable()
export class LegAudit {
  private readonly logger = new Logger('Audit');
  private readonly deals = new AuditCursor();
  private readonly acceptorDeals = new AuditCursor();
  private readonly acceptors = new AuditCursor();

  constructor(
    private readonly database: C2cDatabase,
    private readonly ledger: LedgerTotals,
  ) {}

  async checks(): Promise<AuditCheck[]> {
    try {
      return [
        toFinding('deals.legs', await this.checkLegs(DEALS, this.deals), 'each deal has the journals of its state'),
        toFinding(
          'acceptors.legs',
          await this.checkLegs(ACCEPTOR_DEALS, this.acceptorDeals),
          'each deal with an acceptor has the journals of its state',
        ),
        toFinding(
          'acceptors.quotas',
          await this.checkQuotas(),
          'quotas are what was granted and what deals have moved',
        ),
      ];
    } catch (error) {
      this.logger.warn(`the ledger could not be asked: ${String(error)}`);
      return [{ name: 'deals.legs', ok: false, detail: 'the ledger did not answer', soft: true }];
    }
  }

  private async checkLegs(kind: AuditedKind, cursor: AuditCursor): Promise<string[]> {
    const { cause, table, ended, load } = kind;
    const [next, last, named] = await Promise.all([
      load(this.database, `select * from ${table} where id > $1::bigint order by id limit ${NEXT_PER_RUN}`, [
        cursor.after,
      ]),
      load(this.database, `select * from ${table} where ${ended} limit ${LATEST_PER_RUN}`, []),
      load(this.database, byIds(table), [cursor.wrong]),
    ]);
    cursor.advance(next, NEXT_PER_RUN);
    const objects = selectSettled([...next, ...last, ...named]);
    const totals = await this.ledger.findTotals(cause, [...objects.keys()]);
    const booked = (id: string): string => describeTotals(totals.get(id) ?? []);
    const suspects = [...objects.values()].filter(({ id, expected }) => booked(id) !== expected);
    const confirmed = await this.confirmWrong(suspects, (ids) => load(this.database, byIds(table), [ids]));
    cursor.wrong = confirmed.map(({ id }) => id);
    return confirmed.map(({ id, expected }) => `${cause} ${id} has moved ${booked(id)}, its state demands ${expected}`);
  }

  private async checkQuotas(): Promise<string[]> {
    const read = (which: string, params: readonly unknown[]): Promise<ExpectedTotals[]> =>
      this.database.query<ExpectedTotals & Record<string, unknown>>(selectQuotas(which), params);
    const byUser = 'select * from acceptor where user_id = any($1::bigint[])';
    const cursor = this.acceptors;
    const [next, named] = await Promise.all([
      read(`select * from acceptor where user_id > $1::bigint order by user_id limit ${ACCEPTORS_PER_RUN}`, [
        cursor.after,
      ]),
      read(byUser, [cursor.wrong]),
    ]);
    cursor.advance(next, ACCEPTORS_PER_RUN);
    const objects = [...selectSettled([...next, ...named]).values()];
    const cash = new Map<string, string>();
    for (const { id } of objects) cash.set(id, await this.ledger.findQuota(Number(id)));
    const suspects = objects.filter(({ id, expected }) => cash.get(id) !== expected);
    const confirmed = await this.confirmWrong(suspects, (ids) => read(byUser, [ids]));
    cursor.wrong = confirmed.map(({ id }) => id);
    return confirmed.map(({ id, expected }) => `acceptor ${id} has a quota of ${cash.get(id)}, ${expected} is theirs`);
  }

  /** Those with unchanged expected totals and no saga under way. */
  private async confirmWrong(
    suspects: readonly ExpectedTotals[],
    load: (ids: readonly string[]) => Promise<readonly ExpectedTotals[]>,
  ): Promise<readonly ExpectedTotals[]> {
    if (suspects.length === 0) return [];
    const now = selectSettled(await load(suspects.map(({ id }) => id)));
    return suspects.filter(({ id, expected }) => now.get(id)?.expected === expected).slice(0, WRONG_MAX);
  }
}

/** The checks of all parts, and the checks that need the ledger. */
export class EscrowAudit extends PartsAudit {
  constructor(
    database: C2cDatabase,
    private readonly legs: LegAudit,
    parts: readonly AuditPart[],
  ) {
    super(database, parts);
  }

  override async checks(): Promise<readonly AuditCheck[]> {
    return [...(await super.checks()), ...(await this.legs.checks())];
  }
}

const byIds = (table: string): string => `select * from ${table} where id = any($1::bigint[])`;
/** By id, without those with a saga under way. */
const selectSettled = (all: readonly ExpectedTotals[]): Map<string, ExpectedTotals> =>
  new Map(all.filter(({ isUnderWay }) => !isUnderWay).map((each) => [each.id, each]));
const toFinding = (name: string, wrong: readonly string[], fine: string): AuditCheck => ({
  name,
  ok: wrong.length === 0,
  detail: wrong.length === 0 ? fine : `not so: ${wrong.join('; ')}`,
});
