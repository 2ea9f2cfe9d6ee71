import type { OutboxRow } from '@bourse/persistence';
import { chainFault } from '../log/chain-fault.js';
import type { Position } from '../ownership/ownership.js';
import type { PartitionEvents } from './partition-events.js';

/**
 * The last row taken of each stream of a Kafka partition. A row passes when it continues its stream: repeats are
 * dropped; a hole or a fork stops the stream until the missing row is sent again.
 */
export class StreamPositions {
  private positions = new Map<string, Position>();
  private readonly stoppedStreams = new Set<string>();

  /** With `isLoose` streams may begin with any row and leave rows out: for readers of the latest only. */
  constructor(
    private readonly events: Pick<PartitionEvents, 'stopped' | 'resumed' | 'seal'>,
    private readonly isLoose = false,
  ) {}

  /** Begins at stored positions. */
  load(positions: Map<string, Position>): void {
    this.positions = positions;
  }

  /** A copy of all positions. */
  snapshot(): Map<string, Position> {
    return new Map(this.positions);
  }

  /** Moves the stream to this row; false when the row is a repeat, or does not continue its stream. */
  continues(row: OutboxRow): boolean {
    const position = this.positions.get(row.stream) ?? { number: 0, hash: '' };
    if (row.number <= position.number) return false;
    const fault = this.isLoose ? null : this.faultOf(row, position);
    if (fault !== null) {
      if (!this.stoppedStreams.has(row.stream)) {
        this.stoppedStreams.add(row.stream);
        this.events.stopped(row.stream, position.number + 1, fault);
      }
      return false;
    }
    this.positions.set(row.stream, { number: row.number, hash: row.hash });
    if (this.stoppedStreams.delete(row.stream)) this.events.resumed(row.stream);
    return true;
  }

  /** Stops a stream before a row that cannot be applied: it continues when rows are sent again from this number on. */
  stopBefore(stream: string, number: number, reason: string): void {
    this.positions.set(stream, { number: number - 1, hash: null });
    this.stoppedStreams.add(stream);
    this.events.stopped(stream, number, reason);
  }

  /** A row of the stream could not be decoded: the hole that it leaves stops the stream at its next row. */
  reportUnreadable(stream: string, reason: string): void {
    this.stoppedStreams.add(stream);
    this.events.stopped(stream, 0, reason);
  }

  private faultOf(row: OutboxRow, position: Position): string | null {
    if (row.number > position.number + 1) return `#${position.number + 1} is missing, #${row.number} has come`;
    // With a seal the hash was compared when the signature was verified.
    return chainFault(row, position, { hashed: !this.events.seal });
  }
}
