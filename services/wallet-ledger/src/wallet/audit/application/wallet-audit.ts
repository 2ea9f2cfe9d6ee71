import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import type { AuditCheck } from '@bourse/messaging';
import { rescale, toUnits } from '@bourse/money';
import {
  auditAdjustment,
  auditDeposit,
  auditUnopened,
  auditWithdrawal,
  type BookedOf,
} from '../domain/wallet-audit.js';
import { AUDIT_SCALE } from '../../../ledger/application/audit/audit-sums.js';
import { Currencies } from '../../../ledger/application/currencies.js';
import { FurtherChecks } from '../../../ledger/application/audit/ports.js';
import { WalletAuditReads, type JournalLines, type UnderWay, type WalletSnapshot } from './ports.js';

/** Rows per piece of a walk. */
const PIECE = 500;
/** Time per round and walk; the next round continues at the cursor. */
const WALK_MS = 150;

const units = (text: string): bigint => toUnits(text, AUDIT_SCALE);

/** A walk over a table that may be too long for one round. */
class Walk<P> {
  private place: P;
  constructor(
    private readonly start: P,
    private readonly step: (
      snapshot: WalletSnapshot,
      place: P,
    ) => Promise<{ readonly fault: string | null; readonly last: P | null }>,
  ) {
    this.place = start;
  }

  /** The first fault of this round; a fault is reported in every round until it is repaired. */
  async go(snapshot: WalletSnapshot): Promise<string | null> {
    const begun = this.place;
    let wrapped = false;
    for (const until = performance.now() + WALK_MS; performance.now() < until;) {
      const { fault, last } = await this.step(snapshot, this.place);
      if (fault !== null) return fault;
      if (last !== null) {
        this.place = last;
        continue;
      }
      this.place = this.start;
      if (wrapped || begun === this.start) return null;
      wrapped = true;
    }
    return null;
  }
}

/**
 * Checks deposits, withdrawals, payouts and adjustments against the journals, in one snapshot (invariants I1, I3, I4,
 * I8). Messages in flight between the wallet and the ledger's writers are found by their stream positions in the same
 * snapshot; they do not count as differences.
 */
@Injectable()
export class WalletAudit extends FurtherChecks {
  private underWay: UnderWay = { causes: new Set(), suspense: [] };
  private readonly deposits = new Walk('0', async (snapshot, after) =>
    this.first(await snapshot.deposits(after, PIECE), 'deposit', (row) => {
      const expected =
        row.state === 'returning' ? ['waiting', 'signed'] : row.state === 'returned' ? ['done'] : [null, 'failed'];
      if (!expected.includes(row.payout)) return `is ${row.state} and its payment back is ${row.payout ?? 'not there'}`;
      return auditDeposit(
        { ...row, owned: row.userId !== null, amount: units(row.amount), fee: units(row.fee) },
        bookedOf(row.journals, row.userId),
      );
    }),
  );
  private readonly withdrawals = new Walk('0', async (snapshot, after) =>
    this.first(await snapshot.withdrawals(after, PIECE), 'withdrawal', (row) => {
      const scale = this.currencies.scaleOf(row.currency) ?? AUDIT_SCALE;
      const onChain = rescale(toUnits(row.received, scale), scale, row.chainScale, 'down');
      if (row.payoutAmount !== null && BigInt(row.payoutAmount) !== onChain)
        return `pays out ${row.payoutAmount} units of the chain, ${onChain} are to go out`;
      const gone =
        row.chainScale >= scale ? units(row.received) : rescale(onChain, row.chainScale, AUDIT_SCALE, 'down');
      return auditWithdrawal(
        { ...row, number: units(row.number), fee: units(row.fee), received: units(row.received), gone },
        bookedOf(row.journals, row.userId),
        row.payout,
      );
    }),
  );
  private readonly adjustments = new Walk('0', async (snapshot, after) =>
    this.first(await snapshot.adjustments(after, PIECE), 'adjustment', (row) =>
      auditAdjustment({ ...row, amount: units(row.amount) }, bookedOf(row.journals, row.userId)),
    ),
  );
  private readonly orphans = new Walk<readonly [string, string]>(['', ''], async (snapshot, after) => {
    const { orphans, last } = await snapshot.orphans(after, PIECE);
    const { fault } = this.first(orphans, '', ({ causeType, journals }) =>
      causeType === 'withdrawal'
        ? auditUnopened(bookedOf(journals, journals.find(({ owner }) => owner > 0)?.owner ?? null))
        : 'has journals and is not there',
    );
    return { fault, last };
  });
  private readonly payouts = new Walk('', (snapshot, after) => snapshot.payouts(after, PIECE));

  constructor(
    private readonly reads: WalletAuditReads,
    private readonly currencies: Currencies,
  ) {
    super();
  }

  run(): Promise<AuditCheck[]> {
    return this.reads.inSnapshot(async (snapshot) => {
      this.underWay = await snapshot.underWay();
      const orphan = await this.orphans.go(snapshot);
      return [
        check('suspense', await this.suspense(snapshot), 'suspense is what is held of deposits'),
        check(
          'deposits',
          (await this.deposits.go(snapshot)) ?? (orphan?.startsWith('deposit') ? orphan : null),
          'every deposit has the journals of its state',
        ),
        check(
          'withdrawals',
          (await this.held(snapshot)) ??
            (await this.withdrawals.go(snapshot)) ??
            (orphan?.startsWith('withdrawal') ? orphan : null),
          'every withdrawal has its hold, its journals and its payment',
        ),
        check('payouts', await this.payouts.go(snapshot), 'no two payments spend the same'),
        check(
          'adjustments',
          (await this.adjustments.go(snapshot)) ??
            (orphan !== null && !/^(deposit|withdrawal)/.test(orphan) ? orphan : null),
          'what operators booked is what two of them decided',
        ),
      ];
    });
  }

  private first<R extends { readonly id: string; readonly causeType?: string }>(
    rows: readonly R[],
    kind: string,
    audit: (row: R) => string | null,
  ): { fault: string | null; last: string | null } {
    for (const row of rows) {
      const name = `${row.causeType ?? kind} ${row.id}`;
      if (this.underWay.causes.has(name)) continue;
      const fault = audit(row);
      if (fault !== null) return { fault: `${name} ${fault}`, last: null };
    }
    return { fault: null, last: rows.length < PIECE ? null : (rows.at(-1)?.id ?? null) };
  }

  private async held(snapshot: WalletSnapshot): Promise<string | null> {
    const wrong = (await snapshot.holdMismatches()).find(({ id }) => !this.underWay.causes.has(`withdrawal ${id}`));
    return wrong
      ? `withdrawal ${wrong.id} needs ${wrong.asked ?? 'nothing'} and its hold keeps ${wrong.held ?? 'nothing'}`
      : null;
  }

  private async suspense(snapshot: WalletSnapshot): Promise<string | null> {
    for (const { currency, suspense, deposits } of await snapshot.suspense()) {
      const coming = this.underWay.suspense
        .filter((row) => row.currency === currency)
        .reduce((sum, { amount }) => sum + units(amount), 0n);
      if (units(suspense) + coming !== units(deposits))
        return `h.suspense of currency ${currency} has ${suspense}, the deposits that are held ${deposits}`;
    }
    return null;
  }
}

const check = (name: string, fault: string | null, fine: string): AuditCheck => ({
  name,
  ok: fault === null,
  detail: fault ?? fine,
});

function bookedOf(rows: readonly JournalLines[], userId: number | null): BookedOf[] {
  const journals = new Map<string, { transition: string; moves: BookedOf['moves'][number][] }>();
  for (const { id, owner, entries } of rows) {
    const journal = journals.get(id) ?? { transition: id.slice(id.lastIndexOf(':') + 1), moves: [] };
    journals.set(id, journal);
    for (const [account, currency, state, amount] of entries)
      journal.moves.push({ account, state, own: owner === userId, currency, amount: units(amount) });
  }
  return [...journals.values()];
}
