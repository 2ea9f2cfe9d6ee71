import { Logger } from '@nestjs/common';
import type { LedgerReply } from '@bourse/events';

/**
 * From here on a waiter also polls the stored answer, at growing intervals: a lost reply costs time, never an outcome,
 * and polling must not slow down the awaited work.
 */
const POLL_AFTER_MS = 300;
const POLL_MS_MAX = 2_000;

/** Callers that wait for the reply to a command; several may wait for the same one. */
export class Waiters {
  private readonly logger = new Logger('Replies');
  private readonly waiting = new Map<string, Set<(reply: LedgerReply) => void>>();

  constructor(private readonly pollAfterMs = POLL_AFTER_MS) {}

  settle(reply: LedgerReply): void {
    for (const give of this.waiting.get(reply.commandId) ?? []) give(reply);
  }

  wait(
    commandId: string,
    timeoutMs: number,
    poll?: () => Promise<LedgerReply | null>,
    bodyHash?: string | null,
  ): Promise<LedgerReply | null> {
    return new Promise((resolve) => {
      const set = this.waiting.get(commandId) ?? new Set();
      this.waiting.set(commandId, set);
      let polling: NodeJS.Timeout | undefined;
      const finish = (reply: LedgerReply | null): void => {
        clearTimeout(timer);
        clearTimeout(polling);
        polling = undefined;
        set.delete(give);
        if (set.size === 0 && this.waiting.get(commandId) === set) this.waiting.delete(commandId);
        resolve(reply);
      };
      // A late reply to an earlier call with another body is not for this call.
      const give = (reply: LedgerReply): void => {
        if (reply.bodyHash === undefined || !bodyHash || reply.bodyHash === bodyHash) finish(reply);
      };
      const timer = setTimeout(() => finish(null), timeoutMs);
      set.add(give);
      if (!poll) return;
      const ask = async (): Promise<void> => {
        try {
          const stored = await poll();
          if (stored && set.has(give)) return finish(stored);
        } catch (error) {
          this.logger.debug(`the stored answer of ${commandId} cannot be read yet: ${(error as Error).message}`);
        }
        everyMs = Math.min(everyMs * 2, POLL_MS_MAX);
        if (set.has(give)) polling = setTimeout(() => void ask(), everyMs);
      };
      let everyMs = this.pollAfterMs;
      polling = setTimeout(() => void ask(), everyMs);
    });
  }
}
