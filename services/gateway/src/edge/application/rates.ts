import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ADDRESS_RATES, itemRates, USER_RATES, type RateClass } from '@bourse/contract';
import { Counters } from '@bourse/messaging';
import { Config, present, rateAddress, Refused, type CallPolicy, type FieldRecord } from '@bourse/platform';

interface Rate {
  readonly limit: number;
  readonly burst: number;
  readonly windowMs: number;
}
/** Classes of calls, and `address` for all calls of an address. */
export type CountedClass = RateClass | 'address';
/** Remaining allowance of a rate after a call was counted, in the window with the least left. */
export interface RateStatus {
  readonly name: CountedClass;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}
/** Called for each rate that a call is counted in, the narrowest last. */
type RecordRateStatus = (status: RateStatus) => void;
const ignoreRateStatus: RecordRateStatus = () => undefined;

/** Number of windows over which a sustained rate below its burst is counted. */
const SUSTAINED_WINDOWS = 10;

/** A client may send an account name of any length; only its beginning counts. */
const NAME_LENGTH = 64;
/**
 * The name under which an account is counted: of the same length for every account, and not reversible where counters
 * are stored [HARD-204].
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
   * Counts a call before its token is read. Rates are counted one after the other, from the whole address to the single
   * account: a refused call adds no further counter. Throws `common.tooMany`.
   */
  async address(ip: string, policy: CallPolicy, fields: FieldRecord, note = ignoreRateStatus): Promise<void> {
    const address = `ip:${rateAddress(ip)}`;
    const rate = policy.rate ?? (policy.auth === 'public' ? 'public' : 'read');
    await this.within(address, ADDRESS_RATES.all, 'address', note);
    if (rate === 'public') await this.within(`${address}:${policy.path}`, ADDRESS_RATES.public, rate, note);
    if (rate === 'export') await this.within(`${address}:export`, ADDRESS_RATES.export, rate, note);
    if (rate !== 'signIn') return;
    await this.within(`${address}:signIn`, ADDRESS_RATES.signIn, rate, note);
    // The field by which the call signs in, never another one that the call does not read [HARD-302].
    const account = policy.account === undefined ? undefined : present(fields, policy.account);
    // Counted with the address: an outsider must not be able to lock the owner out.
    if (account !== undefined)
      await this.within(
        `${address}:account:${accountKey(account)}:${policy.path}`,
        ADDRESS_RATES.signInAccount,
        rate,
        note,
      );
  }

  /** Counts a call of a guest, once the call is known to be one. Throws `common.tooMany`. */
  async guest(ip: string, { rate }: CallPolicy, note = ignoreRateStatus): Promise<void> {
    if (rate === 'tree') await this.within(`ip:${rateAddress(ip)}:tree`, ADDRESS_RATES.tree, rate, note);
  }

  /** Counts a call of a user, once the caller is known. Throws `common.tooMany`. */
  async user(userId: number, policy: CallPolicy, fields: FieldRecord, note = ignoreRateStatus): Promise<void> {
    if (policy.items !== undefined) {
      for (const [name, times] of Object.entries(itemRates(policy.items, fields)) as ['order' | 'cancel', number][])
        if (times > 0) await this.within(`user:${userId}:${name}`, USER_RATES[name], name, note, times);
      return;
    }
    const name: RateClass = policy.rate ?? 'read';
    const counted = isUserRate(name) ? name : 'read';
    await this.within(`user:${userId}:${counted}`, USER_RATES[counted], counted, note);
  }

  private async within(key: string, rate: Rate, name: CountedClass, note: RecordRateStatus, times = 1): Promise<void> {
    const { left, limit, resetsInMs } = await this.hit(key, rate, times);
    const resetSeconds = seconds(resetsInMs);
    note({ name, limit, remaining: Math.max(0, left), resetSeconds });
    if (left < 0) throw new Refused('common.tooMany', { seconds: resetSeconds });
  }

  /** Counts the hits and returns the remaining allowance, negative beyond the rate. */
  private async hit(key: string, { limit, burst, windowMs }: Rate, times: number): Promise<Left> {
    const short = await this.counters.hit(`rate:${key}`, windowMs, times);
    // A process that counts alone allows half of a limit, so that two of them allow no more than the whole
    // (invariants §3).
    const scale = this.config.rateScale / (short.alone ? 2 : 1);
    const atOnce = leftOf(burst * scale, short);
    if (atOnce.left < 0 || burst === limit) return atOnce;
    // A burst may be used once; over the longer window the sustained rate applies.
    const long = await this.counters.hit(`rate:${key}:long`, windowMs * SUSTAINED_WINDOWS, times);
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
