import { Injectable, Logger } from '@nestjs/common';
import { Asks, authAsks } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import { timeText } from '@bourse/platform';
import { Currencies } from '../../../ledger/application/currencies.js';
import { riskHints, type RiskHint } from '../domain/risk.js';
import type { ReviewedWithdrawal } from './decide-withdrawal.js';
import { RiskReader } from './ports.js';

/** Facts that operators see about a withdrawal under review; empty times are not known. */
export interface ShownRisk {
  readonly hints: readonly RiskHint[];
  readonly earlier_withdrawals: number;
  readonly earlier_to_address: number;
  readonly address_shared_with: readonly number[];
  readonly address_bound_at: string;
  readonly last_deposit_at: string;
  readonly deposited_24h: string;
  readonly registered_at: string;
  readonly new_device_at: string;
  readonly contact_changed_at: string;
  readonly identity_shared_with: readonly number[];
}

/**
 * Facts and hints about withdrawals under review: those of the books are read here, those of the person are asked of
 * auth (api §2.12) [WITHDRAW-030].
 */
@Injectable()
export class WithdrawalRisk {
  private readonly logger = new Logger('WithdrawalRisk');
  constructor(
    private readonly reader: RiskReader,
    private readonly asks: Asks,
    private readonly currencies: Currencies,
  ) {}

  /** Each row with its facts; null where it is not under review, or while auth does not answer. */
  async added<Row extends Pick<ReviewedWithdrawal, 'id' | 'state' | 'user_id' | 'currency_id' | 'ts'>>(
    rows: readonly Row[],
  ): Promise<(Row & { readonly risk: ShownRisk | null })[]> {
    const reviewed = rows.filter(({ state }) => state === 'review');
    const risks = reviewed.length === 0 ? new Map<string, ShownRisk>() : await this.risksOf(reviewed);
    return rows.map((row) => ({ ...row, risk: risks.get(row.id) ?? null }));
  }

  private async risksOf(
    rows: readonly Pick<ReviewedWithdrawal, 'id' | 'user_id' | 'currency_id' | 'ts'>[],
  ): Promise<ReadonlyMap<string, ShownRisk>> {
    const userIds = [...new Set(rows.map(({ user_id: id }) => id))];
    const people = await this.asks.ask(authAsks.riskFacts, { userIds }).catch((error: unknown) => {
      this.logger.warn(`withdrawals are shown without facts about people: ${(error as Error).message}`);
      return null;
    });
    if (people === null) return new Map();
    const booked = await this.reader.of(rows.map(({ id }) => id));
    return new Map(
      rows.flatMap(({ id, user_id: userId, currency_id: currency, ts: requestedAt }) => {
        const person = people.find((one) => one.userId === userId);
        const facts = booked.find((one) => one.id === id);
        if (!person || !facts) return [];
        const shown: ShownRisk = {
          hints: riskHints({ ...person, ...facts, requestedAt }),
          earlier_withdrawals: facts.earlier,
          earlier_to_address: facts.earlierToAddress,
          address_shared_with: facts.othersToAddress,
          address_bound_at: timeText(facts.addressBoundAt),
          last_deposit_at: timeText(facts.lastDepositAt),
          deposited_24h: this.amount(facts.deposited, currency),
          registered_at: timeText(person.registeredAt),
          new_device_at: timeText(person.newDeviceAt),
          contact_changed_at: timeText(person.contactChangedAt),
          identity_shared_with: person.sharedWith,
        };
        return [[id, shown] as const];
      }),
    );
  }

  private amount(text: string, currency: number): string {
    const scale = this.currencies.scaleOf(currency);
    return scale === undefined ? text : formatUnits(toUnits(text, scale), scale);
  }
}
