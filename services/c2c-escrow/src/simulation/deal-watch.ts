// Invariant at every commit: the coins of an ad are its surplus, its deals and the returned coins, with their fees.
import type { SimulatedWatch } from '@bourse/ledger-client';
import { calculateFee, type Ad } from '../deals/domain/ad.js';
import { isReopened, isUnfinished, type Deal } from '../deals/domain/deal.js';
import { AD, DEAL } from './deal-stores.js';

/** Problems of an ad and its deals after a commit. */
export function findAdProblems(ad: Ad, deals: readonly Deal[]): string[] {
  const own = deals.filter(({ adId, inAd }) => adId === ad.id && inAd);
  const sum = (some: readonly Deal[], of: (deal: Deal) => bigint): bigint =>
    some.reduce((total, deal) => total + of(deal), 0n);
  const running = own.filter(isUnfinished);
  // An appeal may have reopened deals outside the numbers of their ad.
  const counted = deals.filter((deal) => deal.adId === ad.id && isUnfinished(deal));
  const finished = own.filter(({ state }) => state === 'finished');
  const number = ({ number: coins }: Deal): bigint => coins;
  const problems: string[] = [];
  const report = (wrong: boolean, what: string): void => {
    if (wrong) problems.push(`I3 ad ${ad.id}: ${what}`);
  };
  report(ad.finished !== sum(finished, number), `finished ${ad.finished}, its deals ${sum(finished, number)}`);
  report(
    ad.surplus + sum(running, number) + ad.finished + ad.returned !== ad.total,
    `${ad.surplus} left, ${sum(running, number)} under way, ${ad.finished} sold, ${ad.returned} back of ${ad.total}`,
  );
  report(ad.open !== counted.length, `counts ${ad.open} deals, ${counted.length} are under way`);
  report(ad.state === 'shelf' && ad.surplus === 0n && ad.open === 0, 'is on the shelf and sold out');
  report(
    ad.state === 'sold' && (ad.surplus !== 0n || ad.open !== 0),
    'is sold out, with coins on offer or deals under way',
  );
  if (ad.type === 'sell' && ad.state === 'shelf')
    report(
      ad.surplusFee +
        sum(
          own.filter(({ state }) => state !== 'cancelled'),
          ({ fee }) => fee,
        ) !==
        calculateFee(ad.total, ad.feeRate),
      'its fees are not what was put up',
    );
  return problems;
}

/** Checks each ad that a commit touches, with all of its deals. */
export class DealWatch implements SimulatedWatch {
  readonly problems: string[] = [];
  private readonly ads = new Map<string, Ad>();
  private readonly deals = new Map<string, Deal>();

  commit(writes: ReadonlyMap<string, object | null>): void {
    const touched = new Set<number>();
    for (const [name, row] of writes) {
      const table = name.slice(0, name.indexOf('\n'));
      if (table === AD) {
        keepRow(this.ads, name, row as Ad | null);
        if (row) touched.add((row as Ad).id);
      } else if (table === DEAL) {
        const before = this.deals.get(name);
        keepRow(this.deals, name, row as Deal | null);
        const deal = (row as Deal | null) ?? before;
        if (deal) touched.add(deal.adId);
        if (before && row) this.checkEnd(before, row as Deal);
      }
    }
    for (const ad of this.ads.values())
      if (touched.has(ad.id)) this.problems.push(...findAdProblems(ad, [...this.deals.values()]));
  }

  /** A paid or ended deal takes only the transitions of rules §6: only a late appeal can be reversed. */
  private checkEnd(before: Deal, after: Deal): void {
    if (before.state === after.state) return;
    const ways: Readonly<Record<Deal['state'], readonly Deal['state'][]>> = {
      waiting: ['unpaid'],
      unpaid: ['paid', 'cancelled'],
      paid: ['finished'],
      finished: [],
      cancelled: [],
    };
    if (isReopened(before) && after.state === 'cancelled' && after.appeal === 'none') return;
    const isBarred = before.appeal === 'open' && after.appeal !== 'buyer' && after.appeal !== 'seller';
    if (isBarred || (!ways[before.state].includes(after.state) && !isByAppeal(before, after)))
      this.problems.push(`I3 deal ${after.id} went from ${before.state} to ${after.state}`);
  }
}

/** Transitions by an appeal: an expired deal is paid again, and a paid deal ends as decided. */
function isByAppeal(before: Deal, after: Deal): boolean {
  if (before.state === 'cancelled')
    return before.cancelledBy === 'deadline' && after.state === 'paid' && after.appeal === 'open';
  return (
    before.state === 'paid' && before.appeal === 'open' && after.state === 'cancelled' && after.appeal === 'seller'
  );
}

function keepRow<T extends object>(rows: Map<string, T>, name: string, row: T | null): void {
  if (row) rows.set(name, row);
  else rows.delete(name);
}
