import { isIP, SocketAddress } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { ApiKeyFacts } from '@bourse/messaging';
import type { ApiKeyPermissions, ApiKeyRow } from '@bourse/contract';
import { Clock, Refused, SecurityLog, timeText, type Caller } from '@bourse/platform';
import { FundChange } from '../../shared/application/fund-change.js';
import { MessageTemplates } from '../../shared/application/message-templates.js';
import { ApiKeys, type ApiKey } from '../../shared/application/ports/api-keys.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Randomness } from '../../shared/application/ports/randomness.js';
import { Seal } from '../../shared/application/ports/seal.js';
import { SessionEvents } from '../../shared/application/session-events.js';
import { Sessions } from '../../shared/application/ports/sessions.js';

/** Permissions of an API key. There is no permission to withdraw. */
export const PERMISSIONS = ['read', 'read,trade'] as const satisfies readonly ApiKeyPermissions[];
export const API_KEY_LIMITS = { perUser: 20, ips: 10, label: 50 } as const;
/** A use is recorded at most this often. */
const TOUCH_MS = 60_000;
const KEY_BYTES = 18;
const SECRET_BYTES = 32;

/** Keys by which programs sign their calls (api §1.2, §2.1) [AUTH-130]. */
@Injectable()
export class ApiKeyAccess {
  constructor(
    private readonly database: AuthDatabase,
    private readonly keys: ApiKeys,
    private readonly sessions: Sessions,
    private readonly seal: Seal,
    private readonly random: Randomness,
    private readonly letters: MessageTemplates,
    private readonly fundChange: FundChange,
    private readonly news: SessionEvents,
    private readonly clock: Clock,
    private readonly log: SecurityLog,
  ) {}

  async list(userId: number): Promise<ApiKeyRow[]> {
    return (await this.keys.list(this.database, userId)).map(rowOf);
  }

  /** The new key with its secret, which is shown only here. Throws what `FundChange` throws, `apikey.limit`. */
  async create(
    caller: Caller,
    wanted: { readonly label: string; readonly permissions: ApiKeyPermissions; readonly ips: readonly string[] },
    password: string | undefined,
  ): Promise<ApiKeyRow & { secret: string }> {
    const secret = this.random.secret(SECRET_BYTES);
    const key: ApiKey = {
      key: this.random.secret(KEY_BYTES),
      userId: caller.userId,
      label: wanted.label,
      secretSealed: this.seal.seal('apikey', secret),
      permissions: wanted.permissions === 'read' ? ['read'] : ['read', 'trade'],
      ips: wanted.ips,
      createdAt: this.clock.sessions(),
      lastAt: null,
    };
    await this.fundChange.execute(caller, password, async (tx, person) => {
      if ((await this.keys.count(tx, caller.userId)) >= API_KEY_LIMITS.perUser)
        throw new Refused('apikey.limit', { max: API_KEY_LIMITS.perUser });
      await this.keys.add(tx, key);
      await this.letters.notify(tx, person, 'apikey', { label: wanted.label });
    });
    this.log.record('api_key.created', { permissions: wanted.permissions, addresses: wanted.ips.length });
    return { ...rowOf(key), secret };
  }

  /** Throws what `FundChange` throws, `common.notFound` for a key that is not the caller's. */
  async remove(caller: Caller, key: string, password: string | undefined): Promise<void> {
    const removed = await this.fundChange.execute(caller, password, (tx) =>
      this.keys.remove(tx, caller.userId, key, this.clock.sessions()),
    );
    if (!removed) throw new Refused('common.notFound', {}, { field: 'key' });
    await this.news.sessionsEnded(caller.userId, [key]);
    this.log.record('api_key.deleted');
  }

  /** The owner and the permissions of a key; null for an unknown key. Records its use. */
  async facts(key: string): Promise<ApiKeyFacts | null> {
    const found = await this.keys.byKey(this.database, key);
    const owner = found && (await this.sessions.callerOf(this.database, found.userId));
    if (!owner) return null;
    await this.keys.touch(this.database, key, this.clock.sessions(), TOUCH_MS);
    return {
      caller: { ...owner, kind: 'apikey', sessionId: key, permissions: found.permissions },
      secret: this.seal.open('apikey', found.secretSealed),
      permissions: found.permissions,
      ips: found.ips,
    };
  }
}

const rowOf = ({ key, label, permissions, ips, createdAt, lastAt }: ApiKey): ApiKeyRow => ({
  key,
  label,
  permissions: permissions.includes('trade') ? 'read,trade' : 'read',
  ips,
  created_at: timeText(createdAt),
  last_at: timeText(lastAt),
});

/**
 * Addresses that a key is bound to, from text separated by commas or blanks, each in its shortest form; null when there
 * are too many or one is invalid.
 */
export function readAddresses(text: string): readonly string[] | null {
  const given = text.split(/[\s,]+/).filter((part) => part !== '');
  if (given.length > API_KEY_LIMITS.ips || given.some((part) => isIP(part) === 0 || part.includes('%'))) return null;
  return [...new Set(given.map(canonical))];
}

/** `::ffff:192.0.2.1` is `192.0.2.1`: a dual-stack server sees the former. */
function canonical(address: string): string {
  const short = new SocketAddress({ address, family: isIP(address) === 6 ? 'ipv6' : 'ipv4' }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(short)?.[1] ?? short;
}
