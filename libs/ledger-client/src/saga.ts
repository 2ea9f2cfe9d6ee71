import type { Tx } from '@bourse/persistence';
import { AskDecision, MoveDecision, type MovePart } from './decision.js';
import type { Begun, Continued, LastMove, Moved, Outcome } from './saga-spec.js';
import type { Sagas } from './sagas.js';

/** One kind of object that opens when the ledger has posted its journal. */
export class Saga<Note> {
  constructor(
    private readonly sagas: Sagas,
    private readonly name: string,
  ) {}

  /** The decision of a command that opens an object: its handlers answer the call. */
  ask(begun: Begun<Note>): AskDecision {
    return new AskDecision(this.name, begun);
  }

  /** Begins a saga that no call waits for, in the caller's transaction. Its command does not expire. */
  begin(tx: Tx, begun: Begun<Note>): Promise<void> {
    return this.sagas.begin(tx, this.name, begun, null);
  }

  /**
   * From a handler: the next step of what the call waits for. Its end, or that of the step after, answers the call. The
   * command does not expire.
   */
  next(tx: Tx, outcome: Outcome<unknown>, begun: Begun<Note>): Promise<Continued> {
    return this.sagas.next(tx, this.name, outcome, begun);
  }
}

/** One kind of move out of a hold: release, settlement, refund. */
export class Moves {
  constructor(
    private readonly sagas: Sagas,
    private readonly name: string,
  ) {}

  /** The decision of a command that makes a transition: answered when this and the other parts are booked. */
  move({ answer, ...part }: Moved, ...others: readonly MovePart[]): MoveDecision {
    return new MoveDecision(answer, [this.part(part), ...others]);
  }

  /** A further part of a move that another kind leads, such as one in another partition of the ledger. */
  part(move: Pick<Moved, 'object' | 'command'>): MovePart {
    return { ...move, name: this.name };
  }

  /** Begins a move that no call waits for, in the caller's transaction. */
  begin(tx: Tx, move: Pick<Moved, 'object' | 'command'>): Promise<void> {
    return this.sagas.beginMove(tx, this.name, move, null);
  }

  /**
   * From a handler of a saga: the last step of what the call waits for, such as reversing an earlier step.
   * `move.answer` is sent when the step is booked.
   */
  next(tx: Tx, outcome: Outcome<unknown>, move: LastMove): Promise<Continued> {
    return this.sagas.nextMove(tx, this.name, outcome, move);
  }

  /** The same for many at once: their rows are one statement. */
  beginAll(tx: Tx, moves: readonly Pick<Moved, 'object' | 'command'>[]): Promise<void> {
    return this.sagas.beginMoves(tx, this.name, moves);
  }
}
