import { Injectable } from '@nestjs/common';
import { HOUSE_ACCOUNTS } from '@bourse/contract';
import { bodiesOf, FeesPaidV1, isExchangeFee, type Message } from '@bourse/events';
import { Reference } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Settings } from '@bourse/settings';
import { countedDay, shareOf } from '../domain/rebate.js';
import { RebateStore, type RebateFee, type RebateShare } from './rebate-ports.js';
import { TEAM_REBATES } from './rebate-settings.js';
import { coinOf } from './team-coins.js';
import { TeamStore } from './team-ports.js';

/** The most fees of unknown people that are checked again after each batch of facts of people. */
const WAITING_MAX = 1_000;

/**
 * Splits a fee among the three people above its payer (rules §11), owed for a day: the fee's own, or the first that is
 * not paid yet. A fee whose line is not known yet waits for it. The house's own accounts get nothing: their share stays
 * with the fees [TEAM-020].
 */
@Injectable()
export class Rebates {
  constructor(
    private readonly team: TeamStore,
    private readonly store: RebateStore,
    private readonly settings: Settings,
    private readonly reference: Reference,
  ) {}

  /** Takes the ledger's reports of fees, each entry once. */
  async fees(messages: readonly Message[], tx: Tx): Promise<void> {
    const percents = TEAM_REBATES.map((setting) => this.settings.get(setting));
    const fees = bodiesOf(FeesPaidV1, messages)
      .flatMap(({ fees: ofBatch }) => ofBatch)
      .filter(({ cause, payer }) => isExchangeFee(cause) && !HOUSE_ACCOUNTS.has(payer))
      .map((fee): RebateFee => ({ ...fee, percents }));
    if (fees.length === 0) return;
    await this.reference.ready();
    await this.team.alone(tx);
    await this.share(tx, fees);
  }

  /** Checks waiting fees again after new facts of people. In the turn of the team. */
  async retry(tx: Tx): Promise<void> {
    const fees = await this.store.waiting(tx, WAITING_MAX);
    if (fees.length === 0) return;
    await this.store.leaveWaiting(tx, fees);
    await this.share(tx, fees);
  }

  private async share(tx: Tx, fees: readonly RebateFee[]): Promise<void> {
    const uplines = await this.store.uplines(tx, [...new Set(fees.map(({ payer }) => payer))]);
    const closed = await this.store.closed(tx);
    const isKnown = ({ payer }: RebateFee): boolean => uplines.get(payer)?.isKnown === true;
    const shares = fees
      .filter(isKnown)
      .flatMap((fee) => this.sharesOf(fee, uplines.get(fee.payer)?.ids ?? [], countedDay(fee.at, closed)));
    const unknown = fees.filter((fee) => !isKnown(fee));
    if (unknown.length > 0) await this.store.wait(tx, unknown);
    if (shares.length > 0) await this.store.addShares(tx, shares);
  }

  private sharesOf(fee: RebateFee, line: readonly number[], day: number): RebateShare[] {
    const { journal, payer, currency, amount, percents } = fee;
    const { scale } = coinOf(this.reference, currency);
    return line
      .map((person, at): RebateShare => {
        const percent = percents[at] ?? 0n;
        const share = shareOf(toUnits(amount, scale), scale, percent);
        return { journal, payer, currency, generation: at + 1, person, percent, amount: share, day };
      })
      .filter(({ person, amount: share }) => share !== 0n && !HOUSE_ACCOUNTS.has(person));
  }
}
