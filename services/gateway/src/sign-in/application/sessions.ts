import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Asks, authAsks, Views } from '@bourse/messaging';
import { Clock, type Caller } from '@bourse/platform';
import { CacheByUser } from '../../shared/application/cache-by-user.js';
import { CLOCK_VIEW } from '../../shared/application/exchange-clock.js';

const CACHED_MS = 60_000;
const CACHED_MAX = 50_000;
const TOKEN_LENGTH_MAX = 2_000;
/** View that auth publishes when a session ends or its record changes. */
export interface SessionView {
  readonly userId: number;
  readonly ended: readonly string[] | 'all';
}
/** Claims of a token: only the name of a session. */
export interface Claims {
  readonly sub: string;
  readonly sid: string;
  readonly exp?: number;
}
interface CachedCaller {
  readonly caller: Caller;
  readonly at: number;
  readonly expiresAt: number;
}

/** The token of a request: raw, or after `Bearer` (api §1.2). */
export function tokenOf(headers: Readonly<Record<string, string | string[] | undefined>>): string | null {
  const header = headers['authorization'];
  if (typeof header !== 'string') return null;
  const token = header.replace(/^Bearer\s+/i, '').trim();
  return token === '' ? null : token;
}

/** Expiry of a verified token, in ms of the clock of sessions; one without an expiry counts as expired. */
export function expiryOf(token: string): number {
  const { exp = 0 } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
  return exp * 1_000;
}

/** The sessions of verified tokens: auth's records, cached for a minute or until auth publishes a change. */
@Injectable()
export class Sessions implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly cache = new CacheByUser<CachedCaller>(CACHED_MAX, ({ caller }) => caller.userId);
  /** Number of auth's events: a record requested before the last one may be outdated, and is not cached. */
  private news = 0;
  private readonly listeners: ((view: SessionView) => void)[] = [];
  private readonly recheckListeners: (() => void)[] = [];
  private unsubscribe: (() => void)[] = [];

  constructor(
    private readonly asks: Asks,
    private readonly views: Views,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const recheck = (): void => {
      for (const listener of this.recheckListeners) listener();
    };
    // Messages of auth were lost meanwhile: the whole cache is dropped.
    this.views.onGap(() => {
      this.news += 1;
      this.cache.clear();
      recheck();
    });
    this.unsubscribe = [
      this.views.subscribe('session/', (view: SessionView) => {
        this.news += 1;
        this.cache.forget(view.userId);
        for (const listener of this.listeners) listener(view);
      }),
      // A demo install may have moved the age of sessions.
      this.views.subscribe(CLOCK_VIEW, recheck),
    ];
  }
  onApplicationShutdown(): void {
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  /** Calls the listener after the changed entries were dropped from the cache. */
  onChange(listener: (view: SessionView) => void): void {
    this.listeners.push(listener);
  }

  /** Calls the listener when every session must be checked again. */
  onRecheck(listener: () => void): void {
    this.recheckListeners.push(listener);
  }

  /** The caller of a token that was verified within the last minute; null otherwise. */
  remembered(token: string): Caller | null {
    // The clock by which sessions age: a demo install that moves it must not use outdated entries.
    const now = this.clock.sessions();
    const known = this.cache.get(token);
    return known && now - known.at < CACHED_MS && now < known.expiresAt ? known.caller : null;
  }

  /** Whether a text can be a token at all. */
  mayBe(token: string): boolean {
    return token.length <= TOKEN_LENGTH_MAX;
  }

  /**
   * The caller of a verified token's session, as in auth now; null if the session has ended. Throws `Unavailable` when
   * auth cannot be reached.
   */
  async ask(token: string, claims: Claims): Promise<Caller | null> {
    const now = this.clock.sessions();
    this.cache.delete(token);
    const news = this.news;
    const caller = await this.asks.ask(authAsks.session, { token });
    if (!caller) return null;
    if (news !== this.news) return caller;
    this.cache.set(token, { caller, at: now, expiresAt: claims.exp ? claims.exp * 1_000 : Infinity });
    return caller;
  }

  /**
   * Those of at most 1,000 sessions and API keys that are active in auth now. Throws `Unavailable` when auth cannot be
   * reached.
   */
  activeAmong(sessionIds: readonly string[]): Promise<readonly string[]> {
    return this.asks.ask(authAsks.activeSessions, { sessionIds });
  }

  /**
   * The record as in auth now: read before a gate refuses, so that a person who has just set a password is admitted.
   */
  async fresh(caller: Caller): Promise<Caller> {
    const { news } = this;
    const read = await this.asks.ask(authAsks.caller, { userId: caller.userId });
    if (!read) return caller;
    const now: Caller = { ...read, sessionId: caller.sessionId, kind: caller.kind };
    // A change that was published meanwhile may be newer than the answer.
    if (news !== this.news) return now;
    for (const token of this.cache.namesOf(caller.userId)) {
      const known = this.cache.get(token);
      if (known)
        this.cache.set(token, {
          ...known,
          caller: { ...now, sessionId: known.caller.sessionId, kind: known.caller.kind },
        });
    }
    return now;
  }
}
