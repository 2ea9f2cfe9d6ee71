// Checks at every commit that the fund pays a settlement no more than the negative equity of all positions.
import type { SimulatedWatch } from '@bourse/ledger-client';
import { STATUS, type Position } from '../domain/position.js';
import { ACCOUNT, POSITION, type Account } from './stores.js';

export const BALANCE = 'ledger.balance';

export interface BalanceRow {
  readonly owner: number;
  readonly account: string;
  readonly currency: number;
  readonly available: bigint;
}

/**
 * Recomputes at each commit of a settlement what the fund must pay (rules §3): nothing while another position of that
 * user and quote stays open, else the amount by which balance, margins and profits are below 0.
 */
export class SettlementWatch implements SimulatedWatch {
  readonly problems: string[] = [];
  private readonly positions = new Map<string, Position>();
  private readonly balances = new Map<string, bigint>();
  /** Balances of an account since its claim: a credit may come between the reading and the decision. */
  private readonly sinceClaim = new Map<string, Set<bigint>>();

  commit(writes: ReadonlyMap<string, object | null>): void {
    const settled = new Map<string, { readonly before: Position; readonly after: Position }[]>();
    for (const [name, row] of writes) {
      const table = name.slice(0, name.indexOf('\n'));
      if (table === BALANCE && row) this.credit(row as BalanceRow);
      if (table !== POSITION) continue;
      const [before, after] = [this.positions.get(name), row as Position | null];
      const open = before ?? openPart(after);
      if (open?.status === STATUS.open && after?.status === STATUS.closing)
        settled.set(after.settlement!, [...(settled.get(after.settlement!) ?? []), { before: open, after }]);
      if (after) this.positions.set(name, after);
      else this.positions.delete(name);
    }
    for (const [settlement, closes] of settled) this.check(settlement, closes);
    for (const [name, row] of writes) if (row && name.startsWith(`${ACCOUNT}\n`)) this.claimed(row as Account);
  }

  private credit({ owner, account, currency, available }: BalanceRow): void {
    if (account !== 'lever') return;
    const key = `${owner} ${currency}`;
    this.balances.set(key, available);
    this.sinceClaim.get(key)?.add(available);
  }

  private claimed({ userId, quote, claim }: Account): void {
    const key = `${userId} ${quote}`;
    if (claim === null) this.sinceClaim.delete(key);
    else this.sinceClaim.set(key, new Set([this.balances.get(key) ?? 0n]));
  }

  private check(settlement: string, closes: readonly { readonly before: Position; readonly after: Position }[]): void {
    const { userId, quote } = closes[0]!.after;
    const paid = closes.reduce((sum, { after }) => sum + after.closeShortfall, 0n);
    const isOther = ({ status, ...one }: Position): boolean =>
      status === STATUS.open && one.userId === userId && one.quote === quote;
    if ([...this.positions.values()].some(isOther)) {
      if (paid > 0n) this.problems.push(`I3 the fund pays ${paid} for ${settlement}, and other positions stay open`);
      return;
    }
    const net = closes.reduce((sum, { before, after }) => {
      // Overnight fees that the balance pays: all that the margin has not paid.
      const overnightFee = after.paidOvernightFees - before.paidOvernightFees - (before.margin - after.margin);
      return sum + after.margin + after.closeProfits - overnightFee;
    }, 0n);
    const key = `${userId} ${quote}`;
    const lacks = [...(this.sinceClaim.get(key) ?? [])].map((balance) => -(balance + net));
    if (!lacks.some((lack) => paid === (lack > 0n ? lack : 0n)))
      this.problems.push(`I3 the fund pays ${paid} for ${settlement}, all positions lack ${lacks.join(' or ')}`);
  }
}

/** The part of a part close as it was before it closed: its row begins in status 2. */
const openPart = (after: Position | null): Position | undefined =>
  after === null || after.partOf === null
    ? undefined
    : { ...after, status: STATUS.open, paidOvernightFees: 0n, unpaidOvernightFee: 0n };
