import { Injectable } from '@nestjs/common';
import type { Caller } from '@bourse/platform';
import { Asks } from '../ports.js';
import { authAsks } from '../asks/declared/auth.js';

/** The facts from auth about a recipient of messages. */
export interface ReaderFacts {
  readonly userId: number;
  readonly lang: Caller['lang'];
  /** When they registered, business time, ms. */
  readonly since: number;
}
/** The most people whose facts auth returns in one answer. */
const FACTS_MAX = 1_000;

/** Recipients of messages, as auth knows them. */
@Injectable()
export class Readers {
  constructor(private readonly asks: Asks) {}

  /** Returns the facts of these people; unknown ones are left out. Throws `AskUnavailable`. */
  async facts(userIds: readonly number[]): Promise<ReadonlyMap<number, ReaderFacts>> {
    const ids = [...new Set(userIds)];
    const pieces = Array.from({ length: Math.ceil(ids.length / FACTS_MAX) }, (_, at) =>
      ids.slice(at * FACTS_MAX, (at + 1) * FACTS_MAX),
    );
    const found = await Promise.all(pieces.map((piece) => this.asks.ask(authAsks.readers, { userIds: piece })));
    return new Map(found.flat().map((facts) => [facts.userId, facts]));
  }
}
