import { Injectable } from '@nestjs/common';
import type { Caller } from '@bourse/platform';
import { Asks } from '../ports.js';
import { authAsks } from '../asks/declared/auth.js';
import { readFacts } from './read-facts.js';

/** The payment accounts of a person. The two pictures are names of uploads. */
export interface PartyPayment {
  readonly realName: string;
  readonly bankName: string;
  readonly bankAccount: string;
  readonly alipayAccount: string;
  readonly alipayCollect: string;
  readonly wechatAccount: string;
  readonly wechatNickname: string;
  readonly wechatCollect: string;
}
/** The facts from auth about a counterparty: the asking service decides which of them its users may see. */
export interface PartyFacts {
  readonly userId: number;
  /** The masked e-mail, or the masked phone: public. */
  readonly name: string;
  readonly accountNumber: string;
  /** The same name in full, for the other side of a deal; absent in the answer of an auth of the release before. */
  readonly fullName?: string;
  /** The name that was certified; empty before. */
  readonly realName: string;
  readonly phone: string;
  readonly lang: Caller['lang'];
  readonly payment: PartyPayment | null;
  /* The present state of the person; absent in the answer of an auth of the release before. */
  /** Others may begin a deal with them: not frozen for everything, nor for deals. */
  readonly mayDeal?: boolean;
  /** They can say something to a deal that runs: not frozen for everything. */
  readonly mayAnswer?: boolean;
  readonly isSeller?: boolean;
}
/** The most people whose facts auth returns in one answer. */
const FACTS_MAX = 100;

/** The people of deals, as auth knows them. */
@Injectable()
export class Parties {
  constructor(private readonly asks: Asks) {}

  /** Returns the facts of these people; unknown ones are left out. Throws `AskUnavailable`. */
  facts(userIds: readonly number[]): Promise<ReadonlyMap<number, PartyFacts>> {
    return readFacts(userIds, FACTS_MAX, (piece) => this.asks.ask(authAsks.parties, { userIds: piece }));
  }

  /** Returns those of these people who are acceptors now, and not frozen for deals. Throws `AskUnavailable`. */
  async acceptorsAmong(userIds: readonly number[]): Promise<ReadonlySet<number>> {
    return new Set(await this.asks.ask(authAsks.acceptors, { userIds }));
  }

  /**
   * Makes a person a seller or an acceptor, or takes that away: with a line of the audit log in the name of this
   * service; the person's sessions are notified. Throws `common.notFound`, `AskUnavailable`.
   */
  async setRole(
    userId: number,
    change: { readonly isSeller?: boolean; readonly isAcceptor?: boolean },
    reason = '',
  ): Promise<void> {
    await this.asks.ask(authAsks.role, { userId, ...change, reason });
  }
}
