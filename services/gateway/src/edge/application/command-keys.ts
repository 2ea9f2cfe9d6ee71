import { hash } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Refused, refusalStatus, refusalType, Unavailable, type Caller } from '@bourse/platform';

/** A key that is claimed for one command: the same call with the same body. */
export interface KeyClaim {
  readonly keyId: string;
  readonly commandId: string;
  readonly bodyHash: string;
}
/** `isFirst`: this call has claimed the key; a repeat finds it claimed. */
export interface ClaimedKey extends KeyClaim {
  readonly isFirst: boolean;
}
/** The outcome of the command of a key. `open`: in progress, or unknown. */
export type KeyOutcome = 'accepted' | 'refused' | 'not kept' | 'open';

/** Rows of claimed keys, for all gateways. */
export abstract class CommandKeyStore {
  /** Claims each key that is free, and returns the command of each key. Keys must be unique. */
  abstract claim(claims: readonly KeyClaim[]): Promise<readonly ClaimedKey[]>;
  /** The command was refused: its keys become free after a while. */
  abstract shorten(keyIds: readonly string[]): Promise<void>;
  abstract free(keyId: string): Promise<void>;
  /** The id of the command of a key; null: the key is free. */
  abstract find(keyId: string): Promise<string | null>;
  /** Deletes expired keys. */
  abstract sweep(): Promise<void>;
}
const SWEEP_MS = 600_000;

interface Waiting {
  readonly claim: KeyClaim;
  readonly done: (claimed: ClaimedKey) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * One Idempotency-Key, one command, whichever service owns the call (api §1.7): the key is claimed here before a call
 * is forwarded. Claims that arrive during a statement are batched into the next one.
 */
@Injectable()
export class CommandKeys implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('CommandKeys');
  private timer: NodeJS.Timeout | undefined;
  private waiting: Waiting[] = [];
  private isUnderWay = false;
  private refused: string[] = [];

  constructor(private readonly store: CommandKeyStore) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.store.sweep().catch((error: unknown) => this.logger.warn(`old keys could not be deleted: ${String(error)}`));
    }, SWEEP_MS).unref();
  }
  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** The id under which a caller's key is stored; operators and people have separate id spaces. */
  idOf({ kind, userId }: Pick<Caller, 'kind' | 'userId'>, key: string): string {
    return hash('sha256', `${kind === 'operator' ? 'operator' : 'user'}\n${userId}\n${key}`, 'base64url');
  }

  /** @throws Refused `common.keyReused` where the key belongs to another command. */
  async claim(claim: KeyClaim): Promise<ClaimedKey> {
    const claimed = await new Promise<ClaimedKey>((done, failed) => {
      this.waiting.push({ claim, done, failed });
      void this.flush();
    });
    if (claimed.commandId !== claim.commandId || claimed.bodyHash !== claim.bodyHash)
      throw new Refused('common.keyReused');
    return claimed;
  }

  /**
   * Settles the key of a call that has ended. Only the call that claimed it does: a refusal that no service keeps frees
   * the key, and a kept refusal, which has changed nothing, keeps it for an hour.
   */
  async settle({ keyId, isFirst }: ClaimedKey, outcome: KeyOutcome): Promise<void> {
    if (!isFirst) return;
    if (outcome === 'not kept')
      await this.store.free(keyId).catch((error: unknown) => {
        // The answer of the call is sent anyway; the key is then accepted with the same body only.
        this.logger.warn(`a key stays claimed: ${String(error)}`);
      });
    if (outcome !== 'refused') return;
    this.refused.push(keyId);
    void this.flush();
  }

  /** The id of the command of a caller's key; null: no such key is known. */
  find(caller: Pick<Caller, 'kind' | 'userId'>, key: string): Promise<string | null> {
    return this.store.find(this.idOf(caller, key));
  }

  private async flush(): Promise<void> {
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    try {
      while (this.waiting.length > 0 || this.refused.length > 0) {
        await this.claimWaiting();
        const refused = this.refused.splice(0);
        // After a failure the keys are kept for seven days; nothing else changes.
        if (refused.length > 0) await this.store.shorten(refused).catch(() => undefined);
      }
    } finally {
      this.isUnderWay = false;
    }
  }

  private async claimWaiting(): Promise<void> {
    const together = new Map<string, Waiting>();
    const later: Waiting[] = [];
    for (const one of this.waiting) {
      if (together.has(one.claim.keyId)) later.push(one);
      else together.set(one.claim.keyId, one);
    }
    this.waiting = later;
    if (together.size === 0) return;
    try {
      const claimed = await this.store.claim([...together.values()].map(({ claim }) => claim));
      for (const one of claimed) {
        together.get(one.keyId)?.done(one);
        together.delete(one.keyId);
      }
      for (const { claim, failed } of together.values())
        failed(new Unavailable(`the key ${claim.keyId} was not returned`));
    } catch (error) {
      for (const { failed } of together.values()) failed(error);
    }
  }
}

/** The outcome of a call that has thrown. */
export function outcomeOfError(error: unknown): KeyOutcome {
  if (error instanceof Unavailable) return 'not kept';
  return error instanceof Refused ? outcomeOf(refusalType(error), refusalStatus(error)) : 'open';
}
/** The outcome of an answered call; services keep the same answers (`AnswerStore`). */
export function outcomeOf(type: string, status: number): KeyOutcome {
  if (type === 'ok') return 'accepted';
  if (type === 'pending' || status === 202 || status === 500) return 'open';
  return type === 'error' && status < 429 ? 'refused' : 'not kept';
}
