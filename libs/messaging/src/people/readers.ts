import { Injectable } from '@nestjs/common';
import type { Caller } from '@bourse/platform';
import { Asks } from '../ports.js';
import { authAsks } from '../asks/declared/auth.js';
import { readFacts } from './read-facts.js';

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
  facts(userIds: readonly number[]): Promise<ReadonlyMap<number, ReaderFacts>> {
    return readFacts(userIds, FACTS_MAX, (piece) => this.asks.ask(authAsks.readers, { userIds: piece }));
  }
}
