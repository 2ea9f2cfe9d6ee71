import { Injectable } from '@nestjs/common';
import { ADDRESS_RATES, USER_RATES, type RateClass } from '@bourse/contract';
import { Counters } from '@bourse/messaging';
import { Config, present, Refused, type CallPolicy, type FieldRecord } from '@bourse/platform';

interface Rate {
  readonly limit: number;
  readonly burst: number;
  readonly windowMs: number;
}
/** Windows in which a sustained rate below its burst is counted. */
const SUSTAINED_WINDOWS = 10;

/** Rates per address and per user (api §1.7), times `RATE_SCALE`. */
@Injectable()
export class Rates {
  constructor(
    private readonly counters: Counters,
    private readonly config: Config,
  ) {}

  /** Before the token is looked at. Throws `common.tooMany`. */
  async address(ip: string, policy: CallPolicy, fields: FieldRecord): Promise<void> {
    const rate = policy.rate ?? (policy.auth === 'public' ? 'public' : 'read');
    const hits = [this.hit(`ip:${ip}`, ADDRESS_RATES.all)];
    if (rate === 'public') hits.push(this.hit(`ip:${ip}:${policy.path}`, ADDRESS_RATES.public));
    if (rate === 'signIn') {
      hits.push(this.hit(`ip:${ip}:signIn`, ADDRESS_RATES.signIn));
      const account = present(fields, 'user_string') ?? present(fields, 'account') ?? present(fields, 'username');
      // With the address: an outsider must not be able to lock the owner out.
      if (account)
        hits.push(this.hit(`ip:${ip}:account:${account.toLowerCase()}:${policy.path}`, ADDRESS_RATES.signInAccount));
    }
    refuseLongest(await Promise.all(hits));
  }

  /** As soon as it is known who calls. Throws `common.tooMany`. */
  async user(userId: number, policy: CallPolicy): Promise<void> {
    const name: RateClass = policy.rate ?? 'read';
    const rate = name in USER_RATES ? USER_RATES[name as keyof typeof USER_RATES] : USER_RATES.read;
    refuseLongest(await Promise.all([this.hit(`user:${userId}:${name in USER_RATES ? name : 'read'}`, rate)]));
  }

  /** Seconds to wait, 0 when the hit is within the rate. */
  private async hit(key: string, { limit, burst, windowMs }: Rate): Promise<number> {
    const scale = this.config.rateScale;
    const short = await this.counters.hit(`rate:${key}`, windowMs);
    if (short.count > burst * scale) return seconds(short.resetsInMs);
    if (burst === limit) return 0;
    // A burst may be spent once; over the longer window the sustained rate holds.
    const long = await this.counters.hit(`rate:${key}:long`, windowMs * SUSTAINED_WINDOWS);
    return long.count > (limit * SUSTAINED_WINDOWS + burst - limit) * scale ? seconds(long.resetsInMs) : 0;
  }
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

function refuseLongest(waits: readonly number[]): void {
  const wait = Math.max(...waits);
  if (wait > 0) throw new Refused('common.tooMany', { seconds: wait });
}
