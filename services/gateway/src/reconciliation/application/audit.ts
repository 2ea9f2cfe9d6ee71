import { Injectable } from '@nestjs/common';
import { Asks, lowestPositions, type AuditCheck, type AuditRound, type StreamsRead } from '@bourse/messaging';
import { Alarms } from '@bourse/platform';
import { Descriptions } from '../../shared/application/descriptions.js';
import { MarketViews } from '../../shared/application/market-views.js';
import { AuditAsks, check, type Rounds } from './audit-round.js';
import { DepthCheck } from './depth-check.js';
import { HoldReconciliation } from './hold-reconciliation.js';
import { StreamFlow } from './stream-flow.js';
import { TradeReconciliation, type TradeFindings } from './trade-reconciliation.js';

/** Names of the alarms that are raised in any process of the exchange. */
export abstract class RaisedAlarms {
  abstract names(): readonly string[];
}

/** The check that fails when a part did not answer. */
export const REACH = 'gateway.reach';

/** Joins the findings of the services' auditors with those that need two services (invariants I3, I5, I9, I10). */
@Injectable()
export class Audit {
  private readonly services: AuditAsks;
  private readonly holds: HoldReconciliation;
  private readonly trades: TradeReconciliation;
  private readonly depth: DepthCheck;
  private readonly flow = new StreamFlow();

  constructor(
    asks: Asks,
    private readonly alarms: Alarms,
    private readonly everywhere: RaisedAlarms,
    markets: MarketViews,
    private readonly descriptions: Descriptions,
  ) {
    this.services = new AuditAsks(asks);
    this.holds = new HoldReconciliation(this.services, descriptions);
    this.trades = new TradeReconciliation(this.services, descriptions);
    this.depth = new DepthCheck(asks, markets);
  }

  /**
   * Runs one round. `own`: the findings of the joining itself. A service that cannot be reached causes a soft finding;
   * the findings of the others count all the same [AUDIT-028]. `read`: how far consumers have read.
   */
  async run(): Promise<{ checks: AuditCheck[]; own: AuditCheck[]; read: StreamsRead }> {
    const unreached = this.descriptions.missing().map((service) => `${service} did not describe itself`);
    const rounds = await this.rounds(unreached);
    const own: AuditCheck[] = [];
    const join = async (read: () => Promise<readonly AuditCheck[]>): Promise<void> => {
      try {
        own.push(...(await read()));
      } catch (error) {
        unreached.push((error as Error).message);
      }
    };
    // Comparisons between services need all of them.
    if (unreached.length === 0) {
      await join(() => this.holds.run());
      let markets: TradeFindings['markets'] = [];
      await join(async () => {
        const trades = await this.trades.run(rounds);
        ({ markets } = trades);
        return trades.checks;
      });
      await join(async () => [await this.depth.run(markets)]);
      own.push(...this.flow.run([...rounds.values()]));
    }
    if (unreached.length > 0)
      own.push(check(REACH, `not every service could be asked: ${unreached.join('; ')}`, '', true));
    const isKnown =
      unreached.length === 0 &&
      this.descriptions.all().every(({ audits }) => audits) &&
      !this.everywhere.names().some((name) => name.startsWith('stream:'));
    return {
      read: { lowest: isKnown ? lowestPositions([...rounds.values()].map(({ flow }) => flow)) : null },
      checks: [...[...rounds].flatMap(([service, round]) => named(service, round)), ...own, this.raised()],
      own,
    };
  }

  /**
   * Services that make trades are queried first: the others must have settled what these counted, once they have read
   * the streams up to there. A service without an answer is added to `unreached`.
   */
  private async rounds(unreached: string[]): Promise<Rounds> {
    const makers = new Set(this.descriptions.makers().map(({ service }) => service));
    const audited = this.descriptions.audited();
    const rounds = new Map<string, AuditRound>();
    for (const group of [audited.filter((one) => makers.has(one)), audited.filter((one) => !makers.has(one))])
      await Promise.all(
        group.map((service) =>
          this.services.round(service).then(
            (round) => rounds.set(service, round),
            (error: unknown) => unreached.push((error as Error).message),
          ),
        ),
      );
    return rounds;
  }

  /** Alarms that no check covers: with their detail if this process raised them, otherwise by name. */
  private raised(): AuditCheck {
    const own = new Map(this.alarms.list().map(({ name, detail }) => [name, `${name}: ${detail}`]));
    const raised = [...new Set(this.everywhere.names())]
      .filter((name) => !name.startsWith('audit:'))
      .map((name) => own.get(name) ?? name);
    return check('gateway.alarms', raised.length > 0 ? raised.join('; ') : null, 'no alarm is raised', true);
  }
}

const named = (service: string, { checks }: AuditRound): AuditCheck[] =>
  checks.map((one) => ({ ...one, name: one.name.startsWith(`${service}.`) ? one.name : `${service}.${one.name}` }));
