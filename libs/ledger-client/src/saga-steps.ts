import { LedgerCommandV1, ledgerPartition, TOPICS } from '@bourse/events';
import type { SagaRow, Tx } from '@bourse/persistence';
import { keptText } from '@bourse/platform';
import type { LedgerOrder } from './ledger-client.js';
import type { Begun, LastMove, Moved, SagasParts, Waiting } from './saga-spec.js';

/** A move's row keeps the command, so that it can be sent again, and, for a last step, the answer to the call. */
export interface MoveNote {
  readonly partition: number;
  readonly body: object;
  readonly answer?: string;
}

/** Stores the rows of sagas and sends their commands, in the caller's transaction. */
export class SagaSteps {
  /** `topic` is that of the service's results. */
  constructor(
    private readonly parts: SagasParts,
    private readonly topic: string,
  ) {}

  /**
   * The saga's row and its command; without a call the command does not expire.
   * @throws Error when one is under way for the object.
   */
  async begin(
    tx: Tx,
    name: string,
    { object, command, note }: Begun<unknown>,
    call: { readonly commandId: string; readonly validUntil: number } | null,
  ): Promise<void> {
    const { partition, message } = this.encode(name, object, command, call?.validUntil);
    await this.store(tx, { name, object, note: JSON.stringify(note ?? null) }, this.waiting(call?.commandId ?? null));
    tx.emit(TOPICS.ledgerCommands, partition, message);
  }

  /** A later step for the call that waits for an earlier one, if one does. It does not expire. */
  async next(tx: Tx, name: string, { object, command, note }: Begun<unknown>, waiting: Waiting | null): Promise<void> {
    const { partition, message } = this.encode(name, object, command);
    await this.store(tx, { name, object, note: JSON.stringify(note ?? null) }, waiting);
    tx.emit(TOPICS.ledgerCommands, partition, message);
  }

  /** A move as the last step of the call that waits, if one does. */
  async nextMove(tx: Tx, name: string, { object, command, answer }: LastMove, waiting: Waiting | null): Promise<void> {
    const { partition, message } = this.encode(name, object, command);
    const note: MoveNote = { partition, body: message.body, answer: keptText(answer) };
    await this.store(tx, { name, object, note: JSON.stringify(note) }, waiting);
    tx.emit(TOPICS.ledgerCommands, partition, message);
  }

  /** A move's row, which keeps its command, and the command. It does not expire. */
  async beginMove(
    tx: Tx,
    name: string,
    { object, command }: Pick<Moved, 'object' | 'command'>,
    commandId: string | null,
  ): Promise<void> {
    const { partition, message } = this.encode(name, object, command);
    const note: MoveNote = { partition, body: message.body };
    await this.store(tx, { name, object, note: JSON.stringify(note) }, this.waiting(commandId));
    tx.emit(TOPICS.ledgerCommands, partition, message);
  }

  /** Many moves: one statement stores their rows. @throws Error when one of them is under way. */
  async beginMoves(tx: Tx, name: string, moves: readonly Pick<Moved, 'object' | 'command'>[]): Promise<void> {
    const encoded = moves.map(({ object, command }) => ({ object, ...this.encode(name, object, command) }));
    const rows = encoded.map(({ object, partition, message }): SagaRow => ({
      name,
      object,
      commandId: null,
      replyTo: null,
      waitsAs: null,
      note: JSON.stringify({ partition, body: message.body } satisfies MoveNote),
    }));
    if (!(await this.parts.database.tables.sagas.beginAll(tx, rows)))
      throw new Error(`invariant: one of ${rows.length} moves ${name} is under way already`);
    for (const { partition, message } of encoded) tx.emit(TOPICS.ledgerCommands, partition, message);
  }

  private encode(
    saga: string,
    object: string,
    { partition, ...command }: LedgerOrder,
    validUntil?: number,
  ): { partition: number; message: ReturnType<typeof LedgerCommandV1.encode> } {
    const { log, partitions } = this.parts;
    const results = ledgerPartition(command.userId, log.partitionsOf(this.topic));
    return {
      partition: partition ?? ledgerPartition(command.userId, partitions),
      message: LedgerCommandV1.encode({
        ...command,
        ...(validUntil === undefined ? {} : { validUntil }),
        resultTo: { topic: this.topic, partition: results, saga, object },
      }),
    };
  }

  /** A call of this process that waits for its first step. */
  private waiting(commandId: string | null): Omit<Waiting, 'name'> | null {
    return commandId === null ? null : { commandId, replyTo: this.parts.replies.instance };
  }

  private async store(
    tx: Tx,
    row: Pick<SagaRow, 'name' | 'object' | 'note'>,
    waiting: (Omit<Waiting, 'name'> & Partial<Pick<Waiting, 'name'>>) | null,
  ): Promise<void> {
    const { commandId = null, replyTo = null, name: waitsAs = null } = waiting ?? {};
    if (!(await this.parts.database.tables.sagas.begin(tx, { ...row, commandId, replyTo, waitsAs })))
      throw new Error(`invariant: ${row.name} ${row.object} is under way already`);
  }
}
