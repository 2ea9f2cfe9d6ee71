import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LedgerCommandV1, ledgerPartition, TOPICS, type LedgerCommand, type LedgerReply } from '@bourse/events';
import { Asks, Log, Replies, walletLedgerAsks } from '@bourse/messaging';
import { Clock, Config, givenNotice, type CallContext, type Notice } from '@bourse/platform';
import { patienceFor, pending } from './replies.js';

/** How long internal work waits for the ledger's reply before it asks again under the same id, ms. */
const REPLY_MS = 3_000;

/** The fields of a call that a command needs. */
export type CommandContext = Pick<CallContext, 'commandId' | 'bodyHash' | 'validUntil'>;

/**
 * A command to the ledger, without the fields that the client adds: id, limit in time, and where reply and result go.
 */
export type LedgerOrder = Omit<
  LedgerCommand,
  'commandId' | 'bodyHash' | 'validUntil' | 'replyTo' | 'resultTo' | 'onBehalfOf' | 'secondKey' | 'forward' | 'answer'
> &
  Partial<Pick<LedgerCommand, 'secondKey' | 'forward' | 'answer'>> & {
    /** The user whose call issued the command: only their money moves; null: the service acts by itself. */
    readonly onBehalfOf: number | null;
    /** Partition of the ledger; without it the user's own. Names the partition of the house account. */
    readonly partition?: number | undefined;
  };

/** Reads the stored answers of commands. */
export abstract class LedgerAnswers {
  /** Null: the ledger knows no such command. `common.keyReused` when it was given for another body than this one. */
  abstract answer(commandId: string, bodyHash?: string | null): Promise<LedgerReply | null>;
}

/** For services other than the ledger itself. */
@Injectable()
export class AskedLedgerAnswers extends LedgerAnswers {
  constructor(private readonly asks: Asks) {
    super();
  }

  answer(commandId: string, bodyHash: string | null = null): Promise<LedgerReply | null> {
    return this.asks.ask(walletLedgerAsks.answer, { commandId, bodyHash });
  }
}

/**
 * Asks the ledger for one journal or several that apply together, and waits for the outcome. For objects and counters
 * that must survive a crash of the caller there are sagas (`sagas.ts`).
 */
@Injectable()
export class LedgerClient {
  private readonly partitions: number;

  constructor(
    private readonly log: Log,
    private readonly replies: Replies,
    private readonly stored: LedgerAnswers,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.partitions = config.ledgerPartitions;
  }

  /** @throws Refused as the ledger says; `pending` when the outcome is not known in time. */
  async ask(order: LedgerOrder, context: CommandContext): Promise<Notice> {
    return givenNotice((await this.reply(order, context)).answer);
  }

  /** The ledger's reply, a refusal included. @throws Refused `pending` when it is not known in time. */
  reply(order: LedgerOrder, context: CommandContext): Promise<LedgerReply> {
    return this.post(order, context, true) as Promise<LedgerReply>;
  }

  /** As `reply`; null when the outcome is not known in time. */
  send(order: LedgerOrder, context: CommandContext): Promise<LedgerReply | null> {
    return this.post(order, context, false);
  }

  // One function for both, because each further promise costs a turn of the event loop for thousands of orders.
  private async post(
    order: LedgerOrder,
    { commandId, bodyHash, validUntil }: CommandContext,
    mustBeKnown: boolean,
  ): Promise<LedgerReply | null> {
    const id = commandId ?? randomUUID();
    const { partition = ledgerPartition(order.userId, this.partitions), ...command } = order;
    const message = LedgerCommandV1.encode({
      ...command,
      commandId: id,
      validUntil,
      replyTo: this.replies.instance,
      ...(bodyHash === null ? {} : { bodyHash }),
    });
    // The wait begins before the command is sent. If `log.send` fails, the command has no effect.
    const waiting = this.replies.wait(
      id,
      patienceFor(validUntil, this.clock.real()),
      () => this.stored.answer(id, bodyHash),
      bodyHash,
    );
    await this.log.send(TOPICS.ledgerCommands, partition, message);
    const reply = await waiting;
    if (reply === null && mustBeKnown) throw pending();
    return reply;
  }

  /**
   * For work that no call waits for and that is repeated under its id until it is decided: returns the ledger's stored
   * answer, or its answer now. Null: not known yet. The command does not expire.
   */
  async settle(order: LedgerOrder, commandId: string): Promise<LedgerReply | null> {
    const known = await this.stored.answer(commandId);
    if (known) return known;
    const { partition = ledgerPartition(order.userId, this.partitions), ...command } = order;
    const message = LedgerCommandV1.encode({ ...command, commandId, replyTo: this.replies.instance });
    const waiting = this.replies.wait(commandId, REPLY_MS, () => this.stored.answer(commandId));
    await this.log.send(TOPICS.ledgerCommands, partition, message);
    return waiting;
  }

  /**
   * Sends a command that the ledger does not answer: the service that receives the forwarded message answers it.
   * Resolves when the log has the command.
   */
  async sendUnanswered({ partition, ...command }: LedgerOrder, validUntil?: number): Promise<void> {
    const message = LedgerCommandV1.encode(validUntil === undefined ? command : { ...command, validUntil });
    await this.log.send(TOPICS.ledgerCommands, partition ?? ledgerPartition(command.userId, this.partitions), message);
  }
}
