import { Logger } from '@nestjs/common';
import { hasRead, type Asks, type AuditCheck, type AuditFlow } from '@bourse/messaging';

/** One round of a service's auditor. */
export interface ServiceAudit {
  readonly checks: readonly AuditCheck[];
  readonly flow: AuditFlow;
}
/** Rounds by service. */
export type Rounds = ReadonlyMap<string, ServiceAudit>;

/** Timeout of a question to a service. */
export const ASK_MS = 20_000;
/**
 * Services have no common instant: reads are repeated until the streams have passed the positions of the first read.
 */
export const LOOKS_MAX = 8;
const LOOK_AGAIN_MS = 250;

/** Queries the services for their side of a comparison. */
export class AuditAsks {
  private readonly logger = new Logger('Audit');

  constructor(private readonly asks: Asks) {}

  /**
   * The log has the reason why a service gave no answer; the error, which becomes a finding, names only the service.
   */
  ask<A>(service: string, what: string, question: object = {}): Promise<A> {
    return this.asks.ask<object, A>(`${service}.audit${what}`, question, ASK_MS).catch((error: unknown) => {
      this.logger.warn(`${service} could not be queried: ${String(error)}`);
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
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));

/** The writer's heads of the streams of a topic. */
export const headsOf = ({ heads }: AuditFlow, topic: string): AuditFlow['heads'] =>
  Object.fromEntries(Object.entries(heads).filter(([stream]) => stream.includes(`>${topic}/`)));

/** Whether the reader has read everything that the writer had written to a topic. */
export const passed = (writer: AuditFlow, reader: AuditFlow, topic: string): boolean =>
  hasRead(reader, headsOf(writer, topic));
