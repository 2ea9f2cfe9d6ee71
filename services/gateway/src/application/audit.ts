import { Injectable } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import { compareDecimals } from '@bourse/money';
import { Alarms, Clock, timeText } from '@bourse/platform';
import { MarketViews } from './market-views.js';

export interface Check { readonly name: string; readonly ok: boolean; readonly detail: string }
/** A hold as the ledger has it, or as its object says that it must be. */
export interface HoldLine { readonly hold: string; readonly currency: number; readonly amount: string }
/** What a service's audit answers: its own checks, and its side of what two services must agree on. */
interface ServiceAudit { readonly checks: readonly Check[]; readonly holds?: readonly HoldLine[] }

const ASK_MS = 20_000;
/** Between services there is no common instant: a difference counts when a second look, this much later, shows the same one. */
const SECOND_LOOK_MS = 500;
const [LEDGER, SPOT] = ['wallet-ledger', 'spot-matching'];

/** Joins what the services' auditors find with what only the gateway sees. */
@Injectable()
export class Audit {
  constructor(private readonly asks: Asks, private readonly alarms: Alarms, private readonly clock: Clock, private readonly markets: MarketViews) {}

  async run(): Promise<object> {
    const [ledger, spot] = await this.look();
    const found = [named(LEDGER, ledger), named(SPOT, spot), await this.holds(ledger, spot)];
    const raised = this.alarms.list();
    const checks: Check[] = [...found.flat(), { name: 'gateway.alarms', ok: raised.length === 0, detail: raised.map(({ name, detail }) => `${name}: ${detail}`).join('; ') }];
    return {
      ok: checks.every(({ ok }) => ok) ? 1 : 0, checked_at: timeText(this.clock.real()),
      checks: checks.map(({ name, ok, detail }) => ({ name, ok: ok ? 1 : 0, detail })),
      breakers: Object.entries(this.markets.modes()).map(([scope, mode]) => ({ scope, mode })),
    };
  }

  private look(): Promise<[ServiceAudit, ServiceAudit]> { return Promise.all([this.ask(LEDGER), this.ask(SPOT)]); }

  private ask(service: string): Promise<ServiceAudit> { return this.asks.ask<object, ServiceAudit>(`${service}.audit`, {}, ASK_MS); }

  /** Holds of the ledger against the open orders they are for. */
  private async holds(ledger: ServiceAudit, spot: ServiceAudit): Promise<readonly Check[]> {
    let differences = holdDifferences(ledger.holds ?? [], spot.holds ?? []);
    if (differences.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, SECOND_LOOK_MS));
      const [ledgerAgain, spotAgain] = await this.look();
      const again = new Set(holdDifferences(ledgerAgain.holds ?? [], spotAgain.holds ?? []));
      differences = differences.filter((difference) => again.has(difference));
    }
    return [{ name: 'gateway.holds', ok: differences.length === 0, detail: differences.slice(0, 20).join('; ') }];
  }
}

/** Where the two sides disagree, each as a sentence that stays the same as long as the difference does. */
export function holdDifferences(held: readonly HoldLine[], needed: readonly HoldLine[]): string[] {
  const keyOf = ({ hold, currency }: HoldLine): string => `${hold} currency ${currency}`;
  const byKey = new Map(held.filter(({ hold }) => hold.startsWith('order:')).map((line) => [keyOf(line), line.amount]));
  const differences: string[] = [];
  for (const line of needed) {
    const key = keyOf(line);
    const amount = byKey.get(key) ?? '0';
    byKey.delete(key);
    if (compareDecimals(amount, line.amount) !== 0) differences.push(`${key}: ${amount} held, ${line.amount} needed`);
  }
  for (const [key, amount] of byKey) if (compareDecimals(amount, '0') !== 0) differences.push(`${key}: ${amount} held for no open order`);
  return differences;
}

const named = (service: string, { checks }: ServiceAudit): Check[] => checks.map((check) => ({ ...check, name: check.name.startsWith(`${service}.`) ? check.name : `${service}.${check.name}` }));
