import type { Notice } from '@bourse/platform';
import type { Begun, Moved } from './saga-spec.js';

/** The call is answered when the ledger has decided: by the handlers of the saga (`Saga.ask`). */
export class AskDecision {
  constructor(
    readonly saga: string,
    readonly begun: Begun<unknown>,
  ) {}
}

/** One of the journals of a move, by the name of its kind. */
export interface MovePart extends Pick<Moved, 'object' | 'command'> {
  readonly name: string;
}
/** The object has made its transition: the call is answered when the ledger has booked every part (`Moves.move`). */
export class MoveDecision {
  constructor(
    readonly answer: Notice,
    readonly parts: readonly MovePart[],
  ) {}
}

/** How a command ends, decided under the locks of its transaction. A notice: nothing is left to the ledger. */
export type Decision = Notice | AskDecision | MoveDecision;
