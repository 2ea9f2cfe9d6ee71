import { Injectable } from '@nestjs/common';
import { Asks, type AuditCheck } from '@bourse/messaging';
import { Alarms } from '@bourse/platform';
import { Descriptions } from '../descriptions.js';
import { MarketViews } from '../market-views.js';
import { AuditAsks, check, type Rounds, type ServiceAudit } from './audit-round.js';
import { DepthCheck } from './depth-check.js';
import { HoldReconciliation } from './hold-reconciliation.js';
import { StreamFlow } from './stream-flow.js';
import { TradeReconciliation } from './trade-reconciliation.js';

/** Names of the alarms that are raised in any process of the exchange. */
export abstract class RaisedAlarms {
  abstract names(): readonly string[];
}

/** Joins what the services' auditors find with what only two of them together show (invariants I3, I5, I9, I10). */
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

  /** One round. `own`: what the joining itself found. A service that cannot be asked makes a soft finding. */
  async run(): Promise<{ checks: AuditCheck[]; own: AuditCheck[] }> {
    try {
      const silent = this.descriptions.missing();
      if (silent.length > 0) throw new Error(`${silent.join(', ')} did not describe itself`);
      const rounds = await this.rounds();
      const holds = await this.holds.run();
      const trades = await this.trades.run(rounds);
      const depth = await this.depth.run(trades.markets);
      const own = [...holds, ...trades.checks, depth, ...this.flow.run([...rounds.values()])];
      return {
        checks: [...[...rounds].flatMap(([service, round]) => named(service, round)), ...own, this.raised()],
        own,
      };
    } catch (error) {
      const own = [check('gateway.reach', `not every service could be asked: ${(error as Error).message}`, '', true)];
      return { checks: [...own, this.raised()], own };
    }
  }

  /** Who makes trades is asked first: what it counts must be settled by whoever has read its streams up to then. */
  private async rounds(): Promise<Rounds> {
    const makers = new Set(this.descriptions.makers().map(({ service }) => service));
    const audited = this.descriptions.audited();
    const rounds = new Map<string, ServiceAudit>();
    for (const group of [audited.filter((one) => makers.has(one)), audited.filter((one) => !makers.has(one))])
      await Promise.all(
        group.map(async (service) => rounds.set(service, await this.services.ask<ServiceAudit>(service, ''))),
      );
    return rounds;
  }

  /** Alarms that no check speaks of: with their detail where this process raised them, by name elsewhere. */
  private raised(): AuditCheck {
    const own = new Map(this.alarms.list().map(({ name, detail }) => [name, `${name}: ${detail}`]));
    const raised = [...new Set(this.everywhere.names())]
      .filter((name) => !name.startsWith('audit:'))
      .map((name) => own.get(name) ?? name);
    return check('gateway.alarms', raised.length > 0 ? raised.join('; ') : null, 'no alarm is raised', true);
  }
}

const named = (service: string, { checks }: ServiceAudit): AuditCheck[] =>
  checks.map((one) => ({ ...one, name: one.name.startsWith(`${service}.`) ? one.name : `${service}.${one.name}` }));
