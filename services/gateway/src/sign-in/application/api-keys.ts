import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Asks, authAsks, Counters, Views, type ApiKeyFacts } from '@bourse/messaging';
import { Clock, Refused } from '@bourse/platform';
import { isRecent, isSigned, SIGNED_WITHIN_MS } from './api-signature.js';
import { CacheByUser } from '../../shared/application/cache-by-user.js';
import type { SessionView } from './sessions.js';

type Headers = Readonly<Record<string, string | string[] | undefined>>;
interface SentCall {
  readonly headers: Headers;
  readonly method: string;
  readonly url: string;
  readonly bodyDigest: string | undefined;
}
interface Cached {
  readonly key: ApiKeyFacts;
  readonly at: number;
}

const CACHED_MS = 60_000;
const CACHED_MAX = 10_000;
const KEY = /^[\w.-]{8,128}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;
/** The period in which a signature may be valid: its time may be ahead as well as behind. */
const SEEN_MS = 2 * SIGNED_WITHIN_MS + 1_000;

/**
 * Programs that sign their calls (api §1.2). Keys are cached for a minute, or until auth publishes a change of their
 * owner.
 */
@Injectable()
export class ApiKeys implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly cache = new CacheByUser<Cached>(CACHED_MAX, ({ key }) => key.caller.userId);
  /** Number of auth's events: an answer requested before the last one is not cached. */
  private news = 0;
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly asks: Asks,
    private readonly views: Views,
    private readonly counters: Counters,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.views.onGap(() => {
      this.news += 1;
      this.cache.clear();
    });
    this.unsubscribe = this.views.subscribe('session/', ({ userId }: SessionView) => {
      this.news += 1;
      this.cache.forget(userId);
    });
  }
  onApplicationShutdown(): void {
    this.unsubscribe();
  }

  /** The key that has signed a call. Throws `apikey.signature` with the reason: `key`, `time` or `signature`. */
  async signer({ headers, method, url, bodyDigest }: SentCall): Promise<ApiKeyFacts> {
    const [name, timestamp, signature] = [
      text(headers, 'x-api-key'),
      text(headers, 'x-api-timestamp'),
      text(headers, 'x-api-signature'),
    ];
    // Auth is not queried about a signature that cannot be valid.
    if (!KEY.test(name)) throw unsigned('key');
    if (!isRecent(timestamp, this.clock.real())) throw unsigned('time');
    if (!SIGNATURE.test(signature)) throw unsigned('signature');
    const key = await this.read(name);
    if (!key) throw unsigned('key');
    if (!isRecent(timestamp, this.clock.real())) throw unsigned('time');
    if (!isSigned(key.secret, { method, path: url, timestamp, bodyDigest }, signature, this.clock.real()))
      throw unsigned('signature');
    return key;
  }

  /** Returns the key of a program whose socket was signed. Throws `apikey.signature` when the key has ended. */
  async named(name: string): Promise<ApiKeyFacts> {
    const key = await this.read(name);
    if (!key) throw unsigned('key');
    return key;
  }

  /** Whether a key may be used from an address. */
  allows({ ips }: ApiKeyFacts, ip: string): boolean {
    return ips.length === 0 || ips.map(plain).includes(plain(ip));
  }

  /** Whether a key may read private things, and from this address. */
  isReader(key: ApiKeyFacts, ip: string): boolean {
    return key.permissions.includes('read') && this.allows(key, ip);
  }

  /** Whether the key of this name exists and may still read. Throws `Unavailable` when auth cannot be reached. */
  async mayRead(name: string, ip: string): Promise<boolean> {
    const key = await this.read(name);
    return key !== null && this.isReader(key, ip);
  }

  /**
   * Accepts each signature of a write once: an eavesdropper cannot send a signed call again. With the Idempotency-Key
   * of the first time it is accepted again, because then it gets the first answer and has no effect. The header is not
   * signed, so another key makes no difference. Throws `apikey.signature`.
   */
  async once({ headers }: { readonly headers: Headers }): Promise<void> {
    const seen = signatureCounter(headers);
    const { count: all } = await this.counters.hit(seen, SEEN_MS);
    const key = text(headers, 'idempotency-key');
    if (all === 1) {
      if (key !== '') await this.counters.hit(`${seen}:${key}`, SEEN_MS);
      return;
    }
    // All uses of this signature must have had this key.
    if (key === '' || (await this.counters.hit(`${seen}:${key}`, SEEN_MS)).count < all) throw unsigned('replay');
  }

  /** Counts a use of a handshake's signature; returns whether it was the first. */
  async isFirstUse({ headers }: { readonly headers: Headers }): Promise<boolean> {
    return (await this.counters.hit(signatureCounter(headers), SEEN_MS)).count === 1;
  }

  private async read(name: string): Promise<ApiKeyFacts | null> {
    const now = this.clock.real();
    const known = this.cache.get(name);
    if (known && now - known.at < CACHED_MS) return known.key;
    this.cache.delete(name);
    const news = this.news;
    const key = await this.asks.ask(authAsks.apiKey, { key: name });
    if (!key) return null;
    if (news !== this.news) return key;
    this.cache.set(name, { key, at: now });
    return key;
  }
}

/** Key of the counter of uses of a signature. */
const signatureCounter = (headers: Headers): string =>
  `apikey:${text(headers, 'x-api-key')}:${text(headers, 'x-api-signature')}`;
/** The reason why a call does not count as signed, for the developer of its program. */
const unsigned = (reason: 'key' | 'time' | 'signature' | 'replay'): Refused =>
  new Refused('apikey.signature', { reason });
/** A header with a single value; empty otherwise. */
const text = (headers: Headers, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};
/** An IPv4-mapped IPv6 address, as dual-stack sockets report IPv4 peers. */
const plain = (ip: string): string => ip.toLowerCase().replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '');
