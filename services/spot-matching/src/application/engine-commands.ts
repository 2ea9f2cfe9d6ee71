import { Logger } from '@nestjs/common';
import {
  decode,
  SpotAdoptV1,
  SpotAmendV1,
  SpotCancelV1,
  SpotModeV1,
  SpotMoveV1,
  SpotPlaceByMarkV1,
  SpotPlaceLinkedV1,
  SpotPlaceTrailingV1,
  SpotPlaceV1,
  SpotTriggerV1,
  TOPICS,
  type Message,
  type SpotAdopt,
  type SpotAmend,
  type SpotCancel,
  type SpotModeChange,
  type SpotMove,
  type SpotTrigger,
} from '@bourse/events';
import type { Delivery, OwnedPartition } from '@bourse/messaging';
import { ticksOf, type Amend, type NewOrder } from '@bourse/matching';
import type { FeeRates } from './fee-rates.js';
import type { ListedMarket, Markets } from './markets.js';
import { amendTermsOf, heldOf, placeTermsOf, type AnyPlace } from './order-messages.js';

type CommandBody =
  | {
      readonly kind: 'place';
      readonly body: AnyPlace;
      readonly market: ListedMarket;
      readonly terms: NewOrder;
      /** Of a pair, whose limit leg has `terms`. */
      readonly stopLeg: NewOrder | null;
    }
  | { readonly kind: 'cancel'; readonly body: SpotCancel }
  | { readonly kind: 'amend'; readonly body: SpotAmend; readonly amend: Amend }
  /** `mark` in ticks. */
  | { readonly kind: 'trigger'; readonly body: SpotTrigger; readonly mark: number }
  | { readonly kind: 'mode'; readonly body: SpotModeChange }
  | { readonly kind: 'move'; readonly body: SpotMove }
  | { readonly kind: 'adopt'; readonly body: SpotAdopt };

/** A message of `spot.commands` as the books take it, with the trace that it belongs to. */
export type EngineCommand = CommandBody & { readonly message: Message; readonly trace?: string };

/** Reads the commands of the engine from what its partition delivers. */
export class EngineCommands {
  private readonly logger = new Logger('Engine');

  constructor(
    private readonly markets: Markets,
    private readonly rates: FeeRates,
  ) {}

  /** Commands in order. A row that cannot be read stops its stream: what follows it there must wait for an operator. */
  read(owned: OwnedPartition, deliveries: readonly Delivery[]): { commands: EngineCommand[]; applied: Delivery[] } {
    const commands: EngineCommand[] = [];
    const applied: Delivery[] = [];
    const stopped = new Set<string>();
    for (const delivery of deliveries) {
      if (delivery.kind === 'command') {
        // The ledger and other partitions of the books are the only senders: a direct command is dropped and stays
        // dropped.
        this.logger.error(
          `a direct ${delivery.message.type} reached ${TOPICS.spotCommands}/${owned.partition}; dropped`,
        );
        applied.push(delivery);
        continue;
      }
      const { stream, number } = delivery.row;
      if (stopped.has(stream)) continue;
      const parsed = delivery.messages.map((message) => commandOf(message, this.parse(message)));
      const bad = parsed.find((one) => typeof one === 'string');
      if (bad !== undefined) {
        stopped.add(stream);
        owned.stopStream(stream, number, bad);
        continue;
      }
      commands.push(...(parsed as EngineCommand[]));
      applied.push(delivery);
    }
    return { commands, applied };
  }

  private parse(message: Message): CommandBody | string {
    switch (message.type) {
      case SpotPlaceV1.name: {
        const read = decode(SpotPlaceV1, message);
        return read.ok ? this.place(message, read.body) : read.error;
      }
      case SpotPlaceLinkedV1.name: {
        const read = decode(SpotPlaceLinkedV1, message);
        return read.ok ? this.place(message, read.body) : read.error;
      }
      case SpotPlaceTrailingV1.name: {
        const read = decode(SpotPlaceTrailingV1, message);
        return read.ok ? this.place(message, read.body) : read.error;
      }
      case SpotPlaceByMarkV1.name: {
        const read = decode(SpotPlaceByMarkV1, message);
        return read.ok ? this.place(message, read.body) : read.error;
      }
      case SpotTriggerV1.name: {
        const read = decode(SpotTriggerV1, message);
        return read.ok ? this.trigger(read.body) : read.error;
      }
      case SpotCancelV1.name: {
        const read = decode(SpotCancelV1, message);
        return read.ok ? { kind: 'cancel', body: read.body } : read.error;
      }
      case SpotAmendV1.name: {
        const read = decode(SpotAmendV1, message);
        if (!read.ok) return read.error;
        const market = this.markets.bySymbol(read.body.symbol);
        if (!market) return `amend ${read.body.amendId} is for ${read.body.symbol}, which the catalog does not have`;
        try {
          return { kind: 'amend', body: read.body, amend: amendTermsOf(market, read.body, message.context?.held) };
        } catch (error) {
          return `amend ${read.body.amendId}: ${(error as Error).message}`;
        }
      }
      case SpotModeV1.name: {
        const read = decode(SpotModeV1, message);
        return read.ok ? { kind: 'mode', body: read.body } : read.error;
      }
      case SpotMoveV1.name: {
        const read = decode(SpotMoveV1, message);
        return read.ok ? { kind: 'move', body: read.body } : read.error;
      }
      case SpotAdoptV1.name: {
        const read = decode(SpotAdoptV1, message);
        return read.ok ? { kind: 'adopt', body: read.body } : read.error;
      }
      default:
        return `${message.type} is no command of a book`;
    }
  }

  private trigger(body: SpotTrigger): CommandBody | string {
    const market = this.markets.bySymbol(body.symbol);
    if (!market) return `order ${body.orderId} is for ${body.symbol}, which the catalog does not have`;
    try {
      return { kind: 'trigger', body, mark: ticksOf(market, body.mark) };
    } catch (error) {
      return `the mark of order ${body.orderId}: ${(error as Error).message}`;
    }
  }

  private place(message: Message, body: AnyPlace): CommandBody | string {
    const market = this.markets.byPair(body.pairId);
    if (!market) return `order ${body.orderId} is for pair ${body.pairId}, which the catalog does not have`;
    const held = heldOf(message, body);
    if (held === undefined) return `order ${body.orderId} came without its hold`;
    try {
      const { terms, stopLeg } = placeTermsOf(market, body, held, this.rates.ratesOf(body.userId, market));
      return { kind: 'place', body, market, terms, stopLeg };
    } catch (error) {
      return `order ${body.orderId}: ${(error as Error).message}`;
    }
  }
}

const commandOf = (message: Message, command: CommandBody | string): EngineCommand | string =>
  typeof command === 'string'
    ? command
    : { ...command, message, ...(message.trace === undefined ? {} : { trace: message.trace }) };
