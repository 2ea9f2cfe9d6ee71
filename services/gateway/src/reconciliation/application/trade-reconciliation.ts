import type { AuditCheck, AuditFlow, AuditRound, MovedSums, TradedSums } from '@bourse/messaging';
import type { Descriptions } from '../../shared/application/descriptions.js';
import { check, headsOf, POLLS_MAX, passed, pause, type AuditAsks, type Rounds } from './audit-round.js';

/** A round of a service that makes trades. */
type MakerAudit = Required<AuditRound>;
/** A service that makes trades. */
export type Maker = ReturnType<Descriptions['makers']>[number];

/** Trades per block, the same in all services. */
const BLOCK = 1_000;
/** Blocks compared in one round: the newest first, then a window that moves over the older ones. */
const BLOCKS_AT_ONCE = 100;

/** The findings about trades in a round, and the checked markets. */
export interface TradeFindings {
  readonly checks: readonly AuditCheck[];
  readonly markets: readonly (readonly [symbol: string, maker: Maker])[];
}

/** Compares the trades of the books with their settlements and with the views of them (invariants I5, I10). */
export class TradeReconciliation {
  /** Next block of each market for the moving window. */
  private readonly cursor = new Map<string, number>();

  constructor(
    private readonly asks: AuditAsks,
    private readonly descriptions: Descriptions,
  ) {}

  /**
   * Checks that each trade is settled exactly once, both sides, to the unit, and that the views have the same trades.
   */
  async run(rounds: Rounds): Promise<TradeFindings> {
    const found = { wrong: [] as string[], unseen: [] as string[], settled: true, viewed: true };
    const symbols: [string, Maker][] = [];
    for (const maker of this.descriptions.makers()) {
      const round = rounds.get(maker.service) as MakerAudit | undefined;
      if (!round) continue;
      const { wrong, unseen, settled, viewed } = await this.tradesOf(maker, round, rounds);
      found.wrong.push(...wrong);
      found.unseen.push(...unseen);
      found.settled &&= settled;
      found.viewed &&= viewed;
      symbols.push(...Object.keys(round.tails).map((symbol): [string, Maker] => [symbol, maker]));
    }
    const checks = [
      check(
        'gateway.settlement',
        found.wrong.length > 0 ? found.wrong.join('; ') : null,
        found.settled ? 'every trade is settled once, both sides' : 'settlements are under way',
      ),
      check(
        'gateway.trades',
        found.unseen.length > 0 ? `${found.unseen.join('; ')}: lists and candles have others than the books` : null,
        found.viewed ? 'lists have the trades of the books' : 'trades are under way',
      ),
    ];
    return { checks, markets: symbols };
  }

  private async tradesOf(
    maker: Maker,
    made: MakerAudit,
    rounds: Rounds,
  ): Promise<{ wrong: string[]; unseen: string[]; settled: boolean; viewed: boolean }> {
    const settler = this.descriptions.traders('settles', maker.settledOn);
    const viewer = this.descriptions.traders('shows', maker.shownOn);
    const has = (service: string | undefined, topic: string, known: Rounds): boolean => {
      const round = service === undefined ? undefined : known.get(service);
      return round !== undefined && passed(made.flow, round.flow, topic);
    };
    let settled = has(settler, maker.settledOn, rounds);
    let viewed = has(viewer, maker.shownOn, rounds);
    const hasPassedNow = async (service: string | undefined, topic: string): Promise<boolean> =>
      service !== undefined && has(service, topic, new Map([[service, await this.asks.round(service)]]));
    for (let poll = 0; !(settled && viewed) && poll < POLLS_MAX; poll += 1) {
      await pause();
      if (!settled) settled = await hasPassedNow(settler, maker.settledOn);
      if (!viewed) viewed = await hasPassedNow(viewer, maker.shownOn);
    }
    const wrong: string[] = [];
    const unseen: string[] = [];
    // A question may reach another instance of the settling service, which must have read up to the positions of the
    // first one.
    const until = headsOf(made.flow, maker.settledOn);
    for (const { symbol, from, to } of this.spans(made.tails)) {
      const range = { symbol, from, to };
      const { moved, traded } = await this.asks.trades(maker.service, range);
      if (settled && settler !== undefined) {
        const at = differing(moved, (await this.asks.trades(settler, { ...range, until })).moved);
        if (at !== null)
          wrong.push(
            await this.firstWrong(maker.service, settler, {
              symbol,
              from: at,
              to: Math.min(to, at + BLOCK - 1),
              until,
            }),
          );
      }
      if (viewed && viewer !== undefined) {
        const at = differing(traded, (await this.asks.trades(viewer, range)).traded);
        if (at !== null) unseen.push(`trades ${at} to ${Math.min(to, at + BLOCK - 1)} of ${symbol}`);
      }
    }
    return { wrong, unseen, settled, viewed };
  }

  /** Blocks of this round: each market's newest, and a moving window of the older ones. */
  private spans(tails: Readonly<Record<string, number>>): { symbol: string; from: number; to: number }[] {
    const markets = Object.entries(tails).filter(([, tail]) => tail > 0);
    const each = Math.max(2, Math.floor(BLOCKS_AT_ONCE / Math.max(1, markets.length)));
    return markets.flatMap(([symbol, tail]) => {
      const last = Math.floor((tail - 1) / BLOCK);
      const start = Math.min(this.cursor.get(symbol) ?? 0, last);
      const end = Math.min(last, start + each - 2);
      this.cursor.set(symbol, end + 1 > last ? 0 : end + 1);
      const window = { symbol, from: start * BLOCK + 1, to: Math.min(tail, (end + 1) * BLOCK) };
      return end === last ? [window] : [window, { symbol, from: last * BLOCK + 1, to: tail }];
    });
  }

  private async firstWrong(
    maker: string,
    settler: string,
    { until, ...span }: { symbol: string; from: number; to: number; until: AuditFlow['heads'] },
  ): Promise<string> {
    const { symbol, from } = span;
    const range = { ...span, each: true };
    const [made, settled] = await Promise.all([
      this.asks.trades(maker, range),
      this.asks.trades(settler, { ...range, until }),
    ]);
    const at = differing(made.moved, settled.moved) ?? from;
    const [trade, journal] = [made.moved, settled.moved].map((side) =>
      JSON.stringify(side.find((one) => one.from === at)?.sums ?? null),
    );
    return `trade ${at} of ${symbol} is not settled as it was made: ${trade} in the book, ${journal} in the journals`;
  }
}

/** The first difference between two lists of blocks; null when they are equal. */
export function differing<B extends MovedSums | TradedSums>(one: readonly B[], other: readonly B[]): number | null {
  const image = (block: B): string =>
    JSON.stringify([
      'sides' in block ? block.sides : block.trades,
      Object.entries(block.sums).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]);
  const [left, right] = [one, other].map((blocks) => new Map(blocks.map((block) => [block.from, image(block)])));
  const wrong = [...new Set([...left!.keys(), ...right!.keys()])].filter(
    (from) => left!.get(from) !== right!.get(from),
  );
  return wrong.length > 0 ? Math.min(...wrong) : null;
}
