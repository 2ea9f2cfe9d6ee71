import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ADDRESS_RATES, USER_RATES, type RateClass } from '@bourse/contract';
import { Counters } from '@bourse/messaging';
import { Config, present, rateAddress, Refused, type CallPolicy, type FieldRecord } from '@bourse/platform';

interface Rate {
  readonly limit: number;
  readonly burst: number;
  readonly windowMs: number;
}
/** The class of whole addresses, beside those that calls name. */
export type CountedClass = RateClass | 'address';
/** What is left of a rate after a call was counted: of the window that ends it first. */
export interface RateStanding {
  readonly name: CountedClass;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}
/** Told of each rate that a call is counted in, the narrowest last. */
export type TellStanding = (standing: RateStanding) => void;
const toNobody: TellStanding = () => undefined;

/** Windows in which a sustained rate below its burst is counted. */
const SUSTAINED_WINDOWS = 10;

/** An account name is as long as whoever sends it likes; what is counted of it is not. */
const NAME_LENGTH = 64;
/**
 * Under this an account is counted: as long for every name, and not to be read back where counters are kept [HARD-204].
 */
const accountKey = (name: string): string =>
  hash('sha256', name.slice(0, NAME_LENGTH).trim().toLowerCase(), 'base64url').slice(0, 22);

/** Rates per address and per user (api §1.7), times `RATE_SCALE`. */
@Injectable()
export class Rates {
  constructor(
    private readonly counters: Counters,
    private readonly config: Config,
  ) {}

  /**
   * Before the token is looked at. One rate after the other, from the whole address to the single account: who is
   * refused leaves no further counter behind. Throws `common.tooMany`.
   */
  async address(ip: string, policy: CallPolicy, fields: FieldRecord, tell = toNobody): Promise<void> {
    const address = `ip:${rateAddress(ip)}`;
    const rate = policy.rate ?? (policy.auth === 'public' ? 'public' : 'read');
    await this.within(address, ADDRESS_RATES.all, 'address', tell);
    if (rate === 'public') await this.within(`${address}:${policy.path}`, ADDRESS_RATES.public, rate, tell);
    if (rate === 'export') await this.within(`${address}:export`, ADDRESS_RATES.export, rate, tell);
    if (rate !== 'signIn') return;
    await this.within(`${address}:signIn`, ADDRESS_RATES.signIn, rate, tell);
    // The field that signs in, never one beside it that the call does not read [HARD-302].
    const account = policy.account === undefined ? undefined : present(fields, policy.account);
    // With the address: an outsider must not be able to lock the owner out.
    if (account !== undefined)
      await this.within(
        `${address}:account:${accountKey(account)}:${policy.path}`,
        ADDRESS_RATES.signInAccount,
        rate,
        tell,
      );
  }

  /** As soon as it is known that nobody has signed in. Throws `common.tooMany`. */
  async guest(ip: string, { rate }: CallPolicy, tell = toNobody): Promise<void> {
    if (rate === 'tree') await this.within(`ip:${rateAddress(ip)}:tree`, ADDRESS_RATES.tree, rate, tell);
  }

  /** As soon as it is known who calls. Throws `common.tooMany`. */
  async user(userId: number, policy: CallPolicy, tell = toNobody): Promise<void> {
    const name: RateClass = policy.rate ?? 'read';
    const counted = isUserRate(name) ? name : 'read';
    await this.within(`user:${userId}:${counted}`, USER_RATES[counted], counted, tell);
  }

  private async within(key: string, rate: Rate, name: CountedClass, tell: TellStanding): Promise<void> {
    const { left, limit, resetsInMs } = await this.hit(key, rate);
    const resetSeconds = seconds(resetsInMs);
    tell({ name, limit, remaining: Math.max(0, left), resetSeconds });
    if (left < 0) throw new Refused('common.tooMany', { seconds: resetSeconds });
  }

  /** What is left after this hit, below 0 when it is beyond the rate. */
  private async hit(key: string, { limit, burst, windowMs }: Rate): Promise<Left> {
    const short = await this.counters.hit(`rate:${key}`, windowMs);
    // Each process that counts alone gives half of a limit, so that two of them give no more than the whole
    // (invariants §3).
    const scale = this.config.rateScale / (short.alone ? 2 : 1);
    const atOnce = leftOf(burst * scale, short);
    if (atOnce.left < 0 || burst === limit) return atOnce;
    // A burst may be spent once; over the longer window the sustained rate holds.
    const long = await this.counters.hit(`rate:${key}:long`, windowMs * SUSTAINED_WINDOWS);
    const sustained = leftOf((limit * SUSTAINED_WINDOWS + burst - limit) * scale, long);
    return sustained.left < atOnce.left ? sustained : atOnce;
  }
}

interface Left {
  readonly left: number;
  readonly limit: number;
  readonly resetsInMs: number;
}
const leftOf = (limit: number, { count, resetsInMs }: { count: number; resetsInMs: number }): Left => ({
  left: Math.floor(limit) - count,
  limit: Math.floor(limit),
  resetsInMs,
});

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));
const isUserRate = (name: RateClass): name is keyof typeof USER_RATES => Object.hasOwn(USER_RATES, name);
