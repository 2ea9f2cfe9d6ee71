import { Injectable } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import { Alarms, Clock, timeText } from '@bourse/platform';
import { MarketViews } from './market-views.js';

export interface Check { readonly name: string; readonly ok: boolean; readonly detail: string }
/** What a service's audit answers: its own checks. */
interface ServiceAudit { readonly checks: readonly Check[] }

const ASK_MS = 20_000;
const AUDITORS = ['wallet-ledger.audit', 'spot-matching.audit'];

/** Joins what the services' auditors find with what only the gateway sees. */
@Injectable()
export class Audit {
  constructor(private readonly asks: Asks, private readonly alarms: Alarms, private readonly clock: Clock, private readonly markets: MarketViews) {}

  async run(): Promise<object> {
    const found = await Promise.all(AUDITORS.map((name) => this.ask(name)));
    const raised = this.alarms.list();
    const checks: Check[] = [...found.flat(), { name: 'gateway.alarms', ok: raised.length === 0, detail: raised.map(({ name, detail }) => `${name}: ${detail}`).join('; ') }];
    return {
      ok: checks.every(({ ok }) => ok) ? 1 : 0, checked_at: timeText(this.clock.real()),
      checks: checks.map(({ name, ok, detail }) => ({ name, ok: ok ? 1 : 0, detail })),
      breakers: Object.entries(this.markets.modes()).map(([scope, mode]) => ({ scope, mode })),
    };
  }

  private async ask(name: string): Promise<readonly Check[]> {
    const answer = await this.asks.ask<object, ServiceAudit | readonly Check[]>(name, {}, ASK_MS);
    const service = name.split('.')[0] ?? name;
    return ('checks' in answer ? answer.checks : answer).map((check) => ({ ...check, name: check.name.startsWith(`${service}.`) ? check.name : `${service}.${check.name}` }));
  }
}
