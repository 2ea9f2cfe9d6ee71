import { createHmac, createSecretKey, hash, randomUUID, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Marks } from '@bourse/messaging';
import { Config, Refused, type FieldRecord } from '@bourse/platform';

const KEY_PATTERN = /^[A-Za-z0-9_-]{8,64}$/;
/** After this long without an answer anywhere a command was never accepted (invariants §2.1). */
const MARK_MS = 15_000;
/** People whose prefix is kept at hand. */
const PREFIXES_MAX = 50_000;

export interface CommandId {
  readonly commandId: string;
  readonly hasKey: boolean;
  readonly bodyHash: string;
}

/**
 * Ids of money calls: a hash of user, call and key, with the user's own prefix, so that nobody reads another's answer
 * by its id. Marks of calls that came in lately are seen by every gateway; what was decided is stored by whoever
 * decides.
 */
@Injectable()
export class Commands {
  private readonly inFlight = new Set<string>();
  private readonly startedAt = performance.now();
  private readonly secret: KeyObject;
  private readonly prefixes = new Map<number, string>();

  constructor(
    config: Config,
    private readonly marks: Marks,
  ) {
    this.secret = createSecretKey(config.answerSecret, 'utf8');
  }

  /** Throws `common.badRequest` for a key outside of the grammar. */
  identify(userId: number, method: string, path: string, key: unknown, fields: FieldRecord): CommandId {
    if (key !== undefined && (typeof key !== 'string' || !KEY_PATTERN.test(key)))
      throw new Refused('common.badRequest', {}, { field: 'Idempotency-Key' });
    const { timestamp: _ignored, ...meant } = fields;
    const body = JSON.stringify(
      Object.entries(meant)
        .filter(([, value]) => value !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    return {
      commandId: this.idOf(userId, method, path, key ?? randomUUID()),
      hasKey: key !== undefined,
      bodyHash: createHmac('sha256', this.secret).update(body).digest('base64url'),
    };
  }

  idOf(userId: number, method: string, path: string, key: string): string {
    return `${this.prefixOf(userId)}${hash('sha256', `${userId}\n${method} ${path}\n${key}`, 'base64url')}`;
  }

  /** Whether a command id is one of this user's. */
  belongs(userId: number, commandId: string): boolean {
    return /^[\w-]{51}$/.test(commandId) && commandId.startsWith(this.prefixOf(userId));
  }

  isKey(text: string): boolean {
    return KEY_PATTERN.test(text);
  }

  /** Marks a call as under way; throws `common.repeated` when the same one is already. The result ends the mark. */
  enter(commandId: string): () => void {
    if (this.inFlight.has(commandId)) throw new Refused('common.repeated');
    this.inFlight.add(commandId);
    this.marks.leave(commandId, MARK_MS);
    return () => this.inFlight.delete(commandId);
  }

  /**
   * The one of these commands that came in so lately, here or at another gateway, that no answer may yet exist; null:
   * none did; undefined: other gateways cannot be asked now.
   */
  recent(commandIds: readonly string[]): Promise<string | null | undefined> {
    return this.marks.find(commandIds);
  }

  /** Whether commands may be under way that this process has no mark of, because the one before it took them. */
  mayHaveForgotten(): boolean {
    return performance.now() - this.startedAt < MARK_MS;
  }

  private prefixOf(userId: number): string {
    let prefix = this.prefixes.get(userId);
    if (prefix === undefined) {
      prefix = createHmac('sha256', this.secret).update(`command-of:${userId}`).digest('base64url').slice(0, 8);
      if (this.prefixes.size >= PREFIXES_MAX) this.prefixes.clear();
      this.prefixes.set(userId, prefix);
    }
    return prefix;
  }
}
