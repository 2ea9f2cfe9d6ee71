import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import pino, { type Logger } from 'pino';
import { Config } from '../config/index.js';
import { rateAddress } from '../http/addresses.js';
import { SECRET_NAMES } from '../observability/logging.js';

/**
 * The events of the security log (OWASP ASVS 5.0, 16.3). A name says the outcome too, so that an alert can be set on it
 * alone. The list is closed: a new event is a line here and in `docs/security.md`.
 */
export type SecurityEvent =
  | 'sign_in.succeeded'
  | 'sign_in.failed'
  | 'sign_in.locked'
  | 'sign_out'
  | 'session.revoked'
  | 'password.confirmed'
  | 'password.confirm_failed'
  | 'password.reset'
  | 'code.sent'
  | 'code.wrong'
  | 'fund_password.set'
  | 'fund_password.wrong'
  | 'fund_password.locked'
  | 'contact.bound'
  | 'authenticator.enabled'
  | 'authenticator.disabled'
  | 'authenticator.wrong'
  | 'passkey.added'
  | 'passkey.removed'
  | 'passkey.wrong'
  | 'api_key.created'
  | 'api_key.deleted'
  | 'api_key.refused'
  | 'address.bound'
  | 'address.removed'
  | 'withdrawal.requested'
  | 'withdrawal.cancelled'
  | 'withdrawal.approved'
  | 'withdrawal.rejected'
  | 'withdrawal.held'
  | 'deposit.return_requested'
  | 'account.frozen'
  | 'account.unfrozen'
  | 'access.refused'
  | 'internal.refused'
  | 'record.forged'
  | 'operator.sign_in'
  | 'operator.sign_in_failed'
  | 'operator.password_changed'
  | 'approval.requested'
  | 'approval.approved'
  | 'approval.rejected';

/**
 * Facts of an event beside those of its request. Never a password, a code, a token or another secret; names of people
 * are ids.
 */
export type SecurityFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * The most lines that one address may write of one event in a minute; the rest of the minute is one line with its
 * count.
 */
const FEW = 10;
const FEW_WITHIN_MS = 60_000;
/** The most addresses counted separately. When more come within a minute, the others share one count for each event. */
const ADDRESSES_MAX = 10_000;

interface Few {
  readonly event: SecurityEvent;
  readonly ip: string;
  readonly until: number;
  count: number;
}

/**
 * Name under which addresses beyond the bound are counted together; `rateAddress` maps texts that are no address to it.
 */
const OTHERS = 'others';

const requests = new AsyncLocalStorage<FastifyRequest>();

/** Everything that `run` starts belongs to this request: the security log finds its address, id and caller. */
export function inRequest(request: FastifyRequest, run: () => void): void {
  requests.run(request, run);
}

/**
 * Security events of a process, one JSON line each, whatever the level of the other logs. They go to standard output,
 * or to `DATA_DIR/security.log` on a demo install, whose terminal a person reads.
 */
@Injectable()
export class SecurityLog implements OnApplicationShutdown {
  private readonly out: Logger;
  private readonly few = new Map<string, Few>();
  private readonly sweeper = setInterval(() => this.sumUp(performance.now()), FEW_WITHIN_MS / 4).unref();

  constructor(config: Config) {
    this.out = pino(
      {
        base: { service: config.service, kind: 'security' },
        timestamp: pino.stdTimeFunctions.isoTime,
        // Not an empty object: pino would begin each line with a comma.
        formatters: { level: (label) => ({ level: label }) },
        redact: { paths: [...SECRET_NAMES], censor: '[hidden]' },
        enabled: config.logLevel !== 'silent',
      },
      config.dev
        ? pino.destination({ dest: join(config.dataDir, 'security.log'), mkdir: true, sync: false, append: true })
        : pino.destination({ dest: 1, sync: false }),
    );
  }

  /**
   * Writes one event with the address, request id and caller of the request that is being answered, if any; `facts` go
   * over these.
   */
  record(event: SecurityEvent, facts: SecurityFacts = {}): void {
    const context = requests.getStore()?.bourse;
    const caller = context?.caller;
    this.out.info({
      event,
      ...(context ? { request_id: context.requestId, ip: context.ip } : {}),
      ...(caller ? { [caller.kind === 'operator' ? 'operator_id' : 'user_id']: caller.userId } : {}),
      ...facts,
    });
  }

  /**
   * Records an event that outsiders can cause without limit: ten times a minute for each event and address, then one
   * line with the number of further ones (`more`), so that a flood is seen and fills no disk [HARD-206].
   */
  recordFew(event: SecurityEvent, ip: string, facts: SecurityFacts = {}): void {
    const now = performance.now();
    const name = `${event} ${rateAddress(ip)}`;
    const known = this.few.get(name);
    if (!known || known.until <= now) {
      if (known) this.sum(known);
      if (!known && this.few.size >= ADDRESSES_MAX && ip !== OTHERS)
        return this.recordFew(event, OTHERS, { ...facts, ip });
      this.few.set(name, { event, ip, until: now + FEW_WITHIN_MS, count: 1 });
    } else if ((known.count += 1) > FEW) return;
    this.record(event, { ip, ...facts });
  }

  onApplicationShutdown(): void {
    clearInterval(this.sweeper);
    this.sumUp(Infinity);
  }

  private sumUp(now: number): void {
    for (const [name, few] of this.few) {
      if (few.until > now) continue;
      this.few.delete(name);
      this.sum(few);
    }
  }

  private sum({ event, ip, count }: Few): void {
    if (count > FEW) this.record(event, { ip, more: count - FEW });
  }
}
