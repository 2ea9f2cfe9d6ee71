import { Injectable } from '@nestjs/common';
import { Asks, authAsks } from '@bourse/messaging';
import { MemberNames } from '../application/team-ports.js';

/** Masked names, as auth knows them now: people change their addresses. */
@Injectable()
export class AskedMemberNames extends MemberNames {
  constructor(private readonly asks: Asks) {
    super();
  }

  async of(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const named = await this.asks.ask(authAsks.names, { userIds: ids });
    return new Map(named.map(({ userId, name }) => [userId, name]));
  }
}
