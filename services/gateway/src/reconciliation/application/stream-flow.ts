import type { AuditCheck, AuditRound } from '@bourse/messaging';
import { check } from './audit-round.js';

/** A row that waits this long counts as unpublished. */
const STUCK_MS = 30_000;

/** Checks the streams between the services, from round to round (invariant I9). */
export class StreamFlow {
  /** Per consumer and stream: a head that is not reached yet, and since when. */
  private readonly waiting = new Map<string, { readonly head: number; readonly since: number }>();
  /** Per consumer and stream: a position that was beyond the head in the previous round. */
  private ahead = new Map<string, number>();

  /** Streams between the services: nothing waits too long, nobody has read what was never written. */
  run(rounds: readonly AuditRound[]): AuditCheck[] {
    const flows = rounds.map(({ flow }) => flow);
    const heads = new Map(flows.flatMap((flow) => Object.entries(flow.heads)));
    const now = Date.now();
    const stuck: string[] = [];
    const beyond: string[] = [];
    const ahead = new Map<string, number>();
    for (const flow of flows) {
      for (const [consumer, positions] of Object.entries(flow.positions)) {
        for (const [stream, number] of Object.entries(positions)) {
          const head = heads.get(stream);
          const name = `${consumer} of ${stream}`;
          if (head === undefined) continue;
          // The position was read at another moment than the head: it counts if the head has still not reached it in a
          // later read.
          if (number > head && (this.ahead.get(name) ?? 0) > head)
            beyond.push(`${name} stands at ${number}, written are ${head}`);
          if (number > head) ahead.set(name, number);
          const before = this.waiting.get(name);
          if (number >= head || before === undefined || number >= before.head)
            this.waiting.set(name, { head, since: now });
          else if (now - before.since > STUCK_MS)
            stuck.push(
              `${name} stands at ${number}, ${before.head} was written ` +
                `${Math.round((now - before.since) / 1_000)} s ago`,
            );
        }
      }
    }
    this.ahead = ahead;
    const letters = flows.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
    return [
      check('flow.positions', beyond.length > 0 ? beyond.join('; ') : null, 'nobody has read what was never written'),
      check('flow.delay', stuck.length > 0 ? stuck.join('; ') : null, 'nothing waits longer than 30 s', true),
      check(
        'flow.deadLetters',
        letters > 0 ? `${letters} messages could not be applied by a view` : null,
        'no view has left out a message',
        true,
      ),
    ];
  }
}
