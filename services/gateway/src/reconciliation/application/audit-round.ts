import { Logger } from '@nestjs/common';
import {
  hasRead,
  serviceAsks,
  type AnswerOf,
  type Ask,
  type Asks,
  type AuditCheck,
  type AuditedHolds,
  type AuditFlow,
  type AuditRound,
  type TradeSpan,
} from '@bourse/messaging';

/** Rounds by service. */
export type Rounds = ReadonlyMap<string, AuditRound>;

/** Timeout of a question to a service. */
export const ASK_TIMEOUT_MS = 20_000;
/**
 * Services have no common instant: reads are repeated until the streams have passed the positions of the first read.
 */
export const POLLS_MAX = 8;
const POLL_INTERVAL_MS = 250;

/** Queries the services for their side of a comparison. */
export class AuditAsks {
  private readonly logger = new Logger('Audit');

  constructor(private readonly asks: Asks) {}

  round(service: string): Promise<AuditRound> {
    return this.ask(service, serviceAsks.audit(service), {});
  }

  async trades(service: string, span: TradeSpan): Promise<Required<AnswerOf<typeof serviceAsks.auditTrades>>> {
    const { moved = [], traded = [] } = await this.ask(service, serviceAsks.auditTrades(service), span);
    return { moved, traded };
  }

  async holdDigests(service: string, prefix: string): Promise<readonly string[]> {
    const answer = await this.ask(service, serviceAsks.auditHolds(service), { prefix });
    if (!('digests' in answer)) throw new Error(`${service} answered lines of holds for digests`);
    return answer.digests;
  }

  async holdLines(service: string, prefix: string, buckets: readonly number[]): Promise<AuditedHolds> {
    const answer = await this.ask(service, serviceAsks.auditHolds(service), { prefix, buckets });
    if (!('lines' in answer)) throw new Error(`${service} answered digests of holds for lines`);
    return answer;
  }

  /** The log has why a service gave no answer; the error, which becomes a finding, names the service only. */
  private ask<Q, A>(service: string, ask: Ask<Q, A>, question: NoInfer<Q>): Promise<A> {
    return this.asks.ask(ask, question, ASK_TIMEOUT_MS).catch((error: unknown) => {
      this.logger.warn(`${service} could not be asked: ${String(error)}`);
      throw new Error(`${service} did not answer`);
    });
  }
}

/** A check with its finding; `fault` null: the check passes. */
export const check = (name: string, fault: string | null, fine: string, soft = false): AuditCheck => ({
  name,
  ok: fault === null,
  detail: fault ?? fine,
  ...(soft ? { soft } : {}),
});

/** The pause before the next read. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));

/** The writer's heads of the streams of a topic. */
export const headsOf = ({ heads }: AuditFlow, topic: string): AuditFlow['heads'] =>
  Object.fromEntries(Object.entries(heads).filter(([stream]) => stream.includes(`>${topic}/`)));

/** Whether the reader has read everything that the writer had written to a topic. */
export const passed = (writer: AuditFlow, reader: AuditFlow, topic: string): boolean =>
  hasRead(reader, headsOf(writer, topic));
