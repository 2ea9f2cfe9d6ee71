import { createHmac, createSecretKey, hash, randomUUID, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Marks } from '@bourse/messaging';
import { Config, Refused, type FieldRecord } from '@bourse/platform';

const KEY_PATTERN = /^[A-Za-z0-9_-]{8,64}$/;
/** A command without any answer after this time was never accepted (invariants §2.1). */
const MARK_MS = 15_000;
/** Number of people whose prefix is cached. */
const PREFIXES_MAX = 50_000;

/** The hash of the body is null without a key: nobody can send the id again, with another body or the same. */
export type CommandId =
  | { readonly commandId: string; readonly hasKey: true; readonly bodyHash: string }
  | { readonly commandId: string; readonly hasKey: false; readonly bodyHash: null };

/**
 * Ids of money calls: a hash of user, call and key, with the user's own prefix, so that nobody can read another's
 * answer by its id. Marks of recent calls are visible to every gateway; the deciding service stores the decision.
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
    const commandId = this.idOf(userId, method, path, key ?? randomUUID());
    if (key === undefined) return { commandId, hasKey: false, bodyHash: null };
    const { timestamp: _ignored, ...meant } = fields;
    const body = JSON.stringify(
      Object.entries(meant)
        .filter(([, value]) => value !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    const bodyHash = createHmac('sha256', this.secret).update(body).digest('base64url');
    return { commandId, hasKey: true, bodyHash };
  }

  idOf(userId: number, method: string, path: string, key: string): string {
    return `${this.prefixOf(userId)}${hash('sha256', `${userId}\n${method} ${path}\n${key}`, 'base64url')}`;
  }

  /** Whether a command id belongs to this user. */
  belongs(userId: number, commandId: string): boolean {
    return /^[\w-]{51}$/.test(commandId) && commandId.startsWith(this.prefixOf(userId));
  }

  isKey(text: string): boolean {
    return KEY_PATTERN.test(text);
  }

  /**
   * Marks a call as in progress; throws `common.repeated` when the same one already is. The returned function ends the
   * mark.
   */
  enter(commandId: string): () => void {
    if (this.inFlight.has(commandId)) throw new Refused('common.repeated');
    this.inFlight.add(commandId);
    this.marks.leave(commandId, MARK_MS);
    return () => this.inFlight.delete(commandId);
  }

  /**
   * The first of these commands that arrived so recently, here or at another gateway, that its answer may be missing;
   * null: none; undefined: other gateways cannot be reached now.
   */
  recent(commandIds: readonly string[]): Promise<string | null | undefined> {
    return this.marks.find(commandIds);
  }

  /** Whether commands may be in progress that this process has no mark of, because its predecessor took them. */
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
