import type { Tx } from '@bourse/persistence';
import type { Notice, Reply } from '@bourse/platform';
import type { Begin, Begun, Move, Moved, SagaContext } from './saga-spec.js';
import type { Sagas } from './sagas.js';

/** One kind of object that opens when the ledger has posted its journal. */
export class Saga<Note> {
  constructor(
    private readonly sagas: Sagas,
    private readonly name: string,
  ) {}

  /** For a call: see `Sagas.call`. */
  call(context: SagaContext, prepare: () => Promise<Begin<Note>>): Promise<Notice | Reply> {
    return this.sagas.call(this.name, context, prepare);
  }

  /** For work that no call waits for, in the caller's transaction. The command does not expire. */
  begin(tx: Tx, begun: Begun<Note>): Promise<void> {
    return this.sagas.begin(tx, this.name, begun, null);
  }
}

/** One kind of move out of a hold: release, settlement, refund. */
export class Moves {
  constructor(
    private readonly sagas: Sagas,
    private readonly name: string,
  ) {}

  /** For a call: see `Sagas.callMove`. */
  call(context: SagaContext, prepare: () => Promise<Move>): Promise<Notice> {
    return this.sagas.callMove(this.name, context, prepare);
  }

  /** For work that no call waits for, in the caller's transaction. */
  begin(tx: Tx, move: Pick<Moved, 'object' | 'command'>): Promise<void> {
    return this.sagas.beginMove(tx, this.name, move, null);
  }

  /** The same for many at once: their rows are one statement. */
  beginAll(tx: Tx, moves: readonly Pick<Moved, 'object' | 'command'>[]): Promise<void> {
    return this.sagas.beginMoves(tx, this.name, moves);
  }
}
