import { Injectable } from '@nestjs/common';
import { CALL_DEADLINE_MS } from '@bourse/contract';
import { Clock, Notice, Refused, Reply, type CallPolicy } from '@bourse/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CommandKeys, outcomeOfError } from '../application/command-keys.js';
import { Commands } from '../application/commands.js';
import { Latency } from '../../shared/application/latency.js';

/**
 * The rest of a call's time, counted from its arrival: its guards have used some of it. Throws `common.unavailable`
 * when nothing is left, because nothing was done yet.
 */
export function timeLeft(reply: Pick<FastifyReply, 'elapsedTime'>, totalMs = CALL_DEADLINE_MS): number {
  const left = Math.floor(totalMs - reply.elapsedTime);
  if (left <= 0) throw new Refused('common.unavailable');
  return left;
}

/**
 * Runs handlers of this process within the deadline of their calls: after 5 s, or the call's own deadline, a money call
 * answers 202 `pending`, every other 503; a command is not admitted while the same one is running [EDGE-023].
 */
@Injectable()
export class BoundedCalls {
  constructor(
    private readonly commands: Commands,
    private readonly keys: CommandKeys,
    private readonly latency: Latency,
    private readonly clock: Clock,
  ) {}

  /** The result of `work`. Throws the error of `work`, or the refusal of a call whose time is over. */
  async run(policy: CallPolicy, request: FastifyRequest, reply: FastifyReply, work: () => unknown): Promise<unknown> {
    const { bourse: context, claimedKey } = request;
    const commandId = policy.money ? (context?.commandId ?? null) : null;
    let leave: (() => void) | undefined;
    try {
      const leftMs = timeLeft(reply, policy.deadlineMs);
      if (commandId !== null) leave = this.commands.enter(commandId);
      const from = performance.now();
      const result = await within(leftMs, policy.money ? 'common.processing' : 'common.unavailable', work);
      if (policy.rate === 'order') this.noteOrder(result, performance.now() - from);
      return result;
    } catch (error) {
      if (claimedKey) await this.keys.settle(claimedKey, outcomeOfError(error));
      throw error;
    } finally {
      leave?.();
    }
  }

  /** Measures an accepted order; its result may be in its envelope already. */
  private noteOrder(result: unknown, tookMs: number): void {
    const { id } = (result instanceof Notice || result instanceof Reply ? result.extra : (result ?? {})) as {
      id?: unknown;
    };
    if (typeof id === 'string') this.latency.acked(id, tookMs, this.clock.real());
  }
}

/** The result of the work, or a refusal with this key after the limit; the work itself continues. */
function within(limitMs: number, lateKey: string, work: () => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Refused(lateKey));
    }, limitMs);
    const settle = <V>(end: (value: V) => void) => {
      return (value: V): void => {
        clearTimeout(timer);
        end(value);
      };
    };
    // A handler may also throw before it returns a promise.
    new Promise((begin) => {
      begin(work());
    }).then(settle(resolve), settle(reject));
  });
}
