import { Injectable } from '@nestjs/common';
import {
  bodiesOf,
  DepositCreditedV1,
  PersonFactV1,
  TOPICS,
  userNotices,
  type DepositCredited,
  type Message,
  type PersonFact,
} from '@bourse/events';
import { HOUSE_ACCOUNTS } from '@bourse/contract';
import { toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { TeamLines, type Rise } from '../domain/team.js';
import { USD_SCALE } from '../domain/team-rank.js';
import { TeamStore } from './team-ports.js';

/** The page of the terminal that shows a rise. */
const TREE = '/account/tree';

/** Applies the facts of auth and the wallet to the team, in the transaction that reads them (rules §11) [TEAM-010]. */
@Injectable()
export class TeamFacts {
  constructor(
    private readonly store: TeamStore,
    private readonly clock: Clock,
  ) {}

  /** Registrations and certificates. */
  async people(messages: readonly Message[], tx: Tx): Promise<void> {
    const facts: readonly PersonFact[] = bodiesOf(PersonFactV1, messages);
    const ids = facts.flatMap((fact) =>
      fact.fact === 'registered' && fact.inviterId !== null ? [fact.userId, fact.inviterId] : [fact.userId],
    );
    await this.apply(tx, ids, (lines) => {
      for (const fact of facts)
        if (fact.fact === 'registered') lines.register(fact.userId, fact.inviterId, fact.at);
        else lines.certify(fact.userId);
    });
  }

  /** Deposits, each once by its id. */
  async deposits(messages: readonly Message[], tx: Tx): Promise<void> {
    const facts: readonly DepositCredited[] = bodiesOf(DepositCreditedV1, messages);
    if (facts.length === 0) return;
    const deposits = facts.map(({ id, userId, value, at }) => ({ id, userId, value: toUnits(value, USD_SCALE), at }));
    const ids = deposits.map(({ userId }) => userId);
    await this.apply(tx, ids, async (lines) => {
      const fresh = new Set(await this.store.addDeposits(tx, deposits));
      for (const { id, userId, value } of deposits) if (fresh.delete(id)) lines.deposit(userId, value);
    });
  }

  private async apply(tx: Tx, ids: readonly number[], work: (lines: TeamLines) => void | Promise<void>): Promise<void> {
    if (ids.length === 0) return;
    await this.store.alone(tx);
    const lines = new TeamLines(await this.store.lines(tx, [...new Set(ids)]));
    await work(lines);
    await this.store.save(tx, lines.changed());
    this.notifyOfRises(tx, lines.rises());
  }

  private notifyOfRises(tx: Tx, rises: readonly Rise[]): void {
    const at = this.clock.now();
    const notices = rises
      .filter(({ userId }) => !HOUSE_ACCOUNTS.has(userId))
      .map(({ userId, rank }) => ({
        userId,
        id: `rank:${userId}:${rank}`,
        kind: 'rankRisen' as const,
        params: { rank },
        link: TREE,
        at,
      }));
    if (notices.length > 0) tx.emit(TOPICS.userNotices, 0, userNotices(notices));
  }
}
