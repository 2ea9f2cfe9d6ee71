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
  type Message,
  type SpotAmend,
  type SpotTrigger,
} from '@bourse/events';
import {
  type Book,
  type Market,
  MarketEngine,
  type Listener,
  type MarketState,
  newOrder,
  ticksOf,
  type Order,
} from '@bourse/matching';
import { amendTermsOf, heldOf, placeTermsOf, type AnyPlace } from './order-messages.js';
import type { AmendRow } from './ports.js';

/** A command of the log, from the streams that the book has consumed. */
export interface LoggedCommand {
  readonly stream: string;
  readonly number: number;
  readonly message: Message;
}
/** The place of a command among the others, as recorded in the order rows. */
type OrderMark = Pick<Order, 'sequence' | 'cancelSequence' | 'triggered' | 'triggerBy' | 'makerFee' | 'takerFee'>;
/** The place of each stored amend: those that an order has accepted. */
export type AmendMark = Pick<AmendRow, 'id' | 'orderId' | 'sequence' | 'sequenceBefore'>;
/** The places of a market's commands, as recorded in its rows; amends in the order of their numbers. */
export interface Marks {
  readonly orders: ReadonlyMap<string, OrderMark>;
  readonly amends: readonly AmendMark[];
}

/** The start of a replay: an empty market, or the state of a checkpoint. */
export interface Checkpoint {
  readonly state: MarketState;
  readonly orders: readonly Order[];
}
export const FROM_ZERO: Checkpoint = {
  state: { sequence: 0, tradeSequence: 0, lastPrice: 0, mode: 'normal', at: 0 },
  orders: [],
};

export interface Replayed {
  /** Of the rebuilt book. */
  readonly sequence: number;
  readonly tradeSequence: number;
  readonly hash: string;
  readonly bookHash: string;
  readonly applied: number;
  /** The reason why the replay stopped; null when it reached the end. */
  readonly stuck: string | null;
}

/** Ways to merge streams that are tried where the order rows leave it open. */
const TRIES = 64;
const SILENT: Listener = {
  traded: () => undefined,
  updated: () => undefined,
  amended: () => undefined,
  holdMoved: () => undefined,
  ended: () => undefined,
};

/**
 * Rebuilds a book from its commands (invariants §2.5). Commands of one stream are in their order; the sequences of the
 * order rows show how the book has merged several streams: each command has taken the next number of its market, and
 * the first amend of an order names the number of its first place. Only a stop that started later, and a mode change,
 * have left no number behind: where two of these could come next, both ways are tried. A stop that the mark has started
 * bears the number of its trigger, or the next amend of it does: the trigger is found by its order.
 * @throws Error when a command cannot be read, or breaks an invariant of the book.
 */
export function replayBook(
  market: Market,
  makeBook: () => Book,
  log: readonly LoggedCommand[],
  marks: Marks,
  end: { readonly sequence: number; readonly hash: string },
  from: Checkpoint = FROM_ZERO,
): Replayed {
  const streams = commandsOf(market, log);
  let best: Replayed | undefined;
  for (let choice = 0; choice < TRIES; choice++) {
    const run = new Run(market, makeBook(), streams, marks, from, choice);
    const result = run.to(end.sequence);
    if (result.stuck === null && result.hash === end.hash) return result;
    best ??= result;
    if (!run.hadChoice) break;
  }
  return best as Replayed;
}

interface Common {
  readonly name: string;
  readonly acceptedAt: number;
}
type Trigger = Common & { readonly kind: 'trigger'; readonly id: string; readonly trigger: SpotTrigger };
/** A command that has a place among the others of its stream; a trigger has the number of its order. */
type Placed = Common &
  (
    | { readonly kind: 'place'; readonly id: string; readonly place: AnyPlace; readonly held: string }
    | { readonly kind: 'cancel'; readonly id: string; readonly userId: number }
    | { readonly kind: 'amend'; readonly id: string; readonly amend: SpotAmend; readonly held: string | undefined }
    | { readonly kind: 'mode'; readonly mode: 'normal' | 'cancel_only' | 'halted' }
  );
type Command = Placed | Trigger;

function commandsOf(market: Market, log: readonly LoggedCommand[]): readonly (readonly Command[])[] {
  const streams = new Map<string, { readonly command: Command; readonly passes: number }[]>();
  // Passed on from partition to partition, a command is in a stream of each: its last copy is the executed one.
  const passes = new Map<string, number>();
  for (const { stream, number, message } of log) {
    if (message.type === SpotMoveV1.name || message.type === SpotAdoptV1.name) continue;
    const { symbol, command } = read(message, `${stream} #${number}`);
    if (symbol !== market.symbol) continue;
    const list = streams.get(stream) ?? [];
    streams.set(stream, list);
    const passed = message.context?.passes ?? 0;
    list.push({ command, passes: passed });
    passes.set(command.name, Math.max(passed, passes.get(command.name) ?? 0));
  }
  return [...streams.values()].map((list) =>
    list.filter((one) => one.passes === passes.get(one.command.name)).map(({ command }) => command),
  );
}

function read(message: Message, where: string): { symbol: string; command: Command } {
  const acceptedAt = message.context?.acceptedAt ?? 0;
  /** The same for all copies of a command that was passed on, and for no other one. */
  const nameOf = (...parts: readonly (string | number)[]): string => [...parts, acceptedAt].join(' ');
  if (PLACES.some(({ name }) => name === message.type)) {
    const { body: place } = readable<AnyPlace>(decodePlace(message), where);
    const { orderId: id, symbol } = place;
    const held = heldOf(message, place);
    if (held === undefined) throw new Error(`${where}: order ${id} came without its hold`);
    return { symbol, command: { kind: 'place', name: nameOf('place', id), id, place, held, acceptedAt } };
  }
  if (message.type === SpotCancelV1.name) {
    const { body } = readable(decode(SpotCancelV1, message), where);
    const { orderId: id, userId, symbol, commandId, requestedAt } = body;
    const name = nameOf('cancel', id, commandId, requestedAt);
    return { symbol, command: { kind: 'cancel', name, id, userId, acceptedAt } };
  }
  if (message.type === SpotAmendV1.name) {
    const { body } = readable(decode(SpotAmendV1, message), where);
    const { amendId: id, symbol } = body;
    return {
      symbol,
      command: { kind: 'amend', name: nameOf('amend', id), id, amend: body, held: message.context?.held, acceptedAt },
    };
  }
  if (message.type === SpotTriggerV1.name) {
    const { body: trigger } = readable(decode(SpotTriggerV1, message), where);
    const { orderId: id, symbol, markAt } = trigger;
    return { symbol, command: { kind: 'trigger', name: nameOf('trigger', id, markAt), id, trigger, acceptedAt } };
  }
  const { body } = readable(decode(SpotModeV1, message), where);
  const name = nameOf('mode', body.mode, body.requestedAt);
  return { symbol: body.symbol, command: { kind: 'mode', name, mode: body.mode, acceptedAt } };
}

const PLACES = [SpotPlaceV1, SpotPlaceLinkedV1, SpotPlaceTrailingV1, SpotPlaceByMarkV1];
function decodePlace(message: Message) {
  if (message.type === SpotPlaceV1.name) return decode(SpotPlaceV1, message);
  if (message.type === SpotPlaceByMarkV1.name) return decode(SpotPlaceByMarkV1, message);
  return message.type === SpotPlaceLinkedV1.name
    ? decode(SpotPlaceLinkedV1, message)
    : decode(SpotPlaceTrailingV1, message);
}

function readable<B>(read: { ok: true; body: B } | { ok: false; error: string }, where: string): { body: B } {
  if (!read.ok) throw new Error(`${where}: ${read.error}`);
  return read;
}

class Run {
  hadChoice = false;
  private readonly engine: MarketEngine;
  private readonly heads: number[];
  private readonly placed = new Set<string>();
  private readonly places = new Map<number, string>();
  private readonly cancels = new Map<number, string>();
  /** Amends by the number that they have taken, and the numbers by the amend. */
  private readonly amends = new Map<number, string>();
  private readonly amended = new Map<string, number>();
  /** Triggers by their orders, in the order of their streams; those without effect stay here. */
  private readonly triggers = new Map<string, Trigger[]>();
  /** Stops that the mark has started, by the numbers at which they can have started. */
  private readonly starts = new Map<number, string>();
  private readonly streams: readonly (readonly Placed[])[];
  private applied = 0;
  private forks = 0;

  constructor(
    private readonly market: Market,
    book: Book,
    streams: readonly (readonly Command[])[],
    private readonly marks: Marks,
    from: Checkpoint,
    private readonly choice: number,
  ) {
    this.engine = new MarketEngine(market, book, from.state);
    // Copies: the engine changes its orders, and the next way to merge begins with the same ones.
    this.engine.restore(from.orders.map((order) => ({ ...order })));
    for (const { id } of from.orders) this.placed.add(id);
    this.streams = streams.map((list) => list.filter((command) => command.kind !== 'trigger'));
    for (const command of streams.flat())
      if (command.kind === 'trigger')
        this.triggers.set(command.id, [...(this.triggers.get(command.id) ?? []), command]);
    this.heads = streams.map(() => 0);
    const isStarted = (id: string): boolean => {
      const mark = marks.orders.get(id);
      return mark?.triggerBy === 'mark' && mark.triggered;
    };
    const moved = new Set<string>();
    for (const { id, orderId, sequence, sequenceBefore } of marks.amends) {
      if (!moved.has(orderId)) this.places.set(sequenceBefore, orderId);
      if (isStarted(orderId)) this.starts.set(sequenceBefore, orderId);
      moved.add(orderId);
      this.amends.set(sequence, id);
      this.amended.set(id, sequence);
    }
    for (const [id, mark] of marks.orders) {
      if (!moved.has(id)) this.places.set(mark.sequence, id);
      if (isStarted(id)) this.starts.set(mark.sequence, id);
      if (mark.cancelSequence > 0) this.cancels.set(mark.cancelSequence, id);
    }
  }

  to(sequence: number): Replayed {
    let stuck: string | null = null;
    while (stuck === null && this.engine.state.sequence < sequence) stuck = this.step(this.engine.state.sequence + 1);
    const { state } = this.engine;
    if (stuck === null && state.sequence !== sequence)
      stuck = `a command led to sequence ${state.sequence}, beyond ${sequence}`;
    return {
      sequence: state.sequence,
      tradeSequence: state.tradeSequence,
      hash: this.engine.hash(),
      bookHash: this.engine.bookHash(),
      applied: this.applied,
      stuck,
    };
  }

  /** Applies the command that has taken this number. */
  private step(next: number): string | null {
    for (const [index] of this.streams.entries()) this.skipWithoutEffect(index, next);
    const cancelled = this.cancels.get(next);
    const known = this.places.get(next);
    if (cancelled !== undefined)
      return this.take(
        (command) => command.kind === 'cancel' && command.id === cancelled,
        `the cancel of ${cancelled}`,
        next,
      );
    const amend = this.amends.get(next);
    if (amend !== undefined)
      return this.take((command) => command.kind === 'amend' && command.id === amend, `amend ${amend}`, next);
    if (known !== undefined && !this.placed.has(known))
      return this.take((command) => command.kind === 'place' && command.id === known, `order ${known}`, next);
    const started = this.starts.get(next);
    if (started !== undefined && this.placed.has(started)) return this.start(started, next);
    // Nobody bears the number any more: a stop that started later, or a mode change.
    const open = [...this.streams.keys()]
      .filter((index) => {
        const head = this.head(index);
        return head?.kind === 'mode' || (head?.kind === 'place' && this.marks.orders.get(head.id)?.triggered === true);
      })
      .sort((a, b) => (this.head(a)?.acceptedAt ?? 0) - (this.head(b)?.acceptedAt ?? 0));
    if (open.length === 0) return `nothing in the log has taken number ${next}`;
    let at = open[0] as number;
    if (open.length > 1) {
      this.hadChoice = true;
      if ((this.choice >> this.forks++) & 1) at = open[1] as number;
    }
    return this.apply(at, next);
  }

  /** Cancels that found nothing to cancel, and amends that were refused, have taken no number. */
  private skipWithoutEffect(index: number, next: number): void {
    for (let head = this.head(index); head?.kind === 'cancel' || head?.kind === 'amend'; head = this.head(index)) {
      const at = head.kind === 'amend' ? this.amended.get(head.id) : this.marks.orders.get(head.id)?.cancelSequence;
      if ((at ?? 0) >= next) return;
      this.heads[index] = (this.heads[index] ?? 0) + 1;
    }
  }

  private head(index: number): Placed | undefined {
    return this.streams[index]?.[this.heads[index] ?? 0];
  }

  private take(fits: (command: Placed) => boolean, what: string, next: number): string | null {
    const index = [...this.streams.keys()].find((at) => {
      const head = this.head(at);
      return head !== undefined && fits(head);
    });
    return index === undefined
      ? `${what} has number ${next} and does not come next in any stream`
      : this.apply(index, next);
  }

  private apply(index: number, next: number): string | null {
    const command = this.head(index) as Placed;
    this.heads[index] = (this.heads[index] ?? 0) + 1;
    this.applied += 1;
    if (command.kind === 'mode') this.engine.setMode(command.mode, command.acceptedAt);
    else if (command.kind === 'cancel')
      this.engine.cancel(command.id, command.userId, 'user', command.acceptedAt, SILENT);
    else if (command.kind === 'amend') {
      const { orderId, userId } = command.amend;
      const terms = amendTermsOf(this.market, command.amend, command.held);
      this.engine.amend(orderId, userId, terms, command.acceptedAt, SILENT);
    } else {
      const mark = this.marks.orders.get(command.id);
      if (!mark) return `order ${command.id} is in the log and has no row`;
      this.placed.add(command.id);
      this.place(command, mark);
    }
    return this.engine.state.sequence < next ? `a ${command.kind} was to take number ${next} and took none` : null;
  }

  /** Starts a stop by the first of its triggers that does. */
  private start(id: string, next: number): string | null {
    for (const { trigger, acceptedAt } of this.triggers.get(id) ?? []) {
      const mark = ticksOf(this.market, trigger.mark);
      if (!this.engine.trigger(id, trigger.userId, mark, acceptedAt, SILENT)) continue;
      this.applied += 1;
      return null;
    }
    return `order ${id} has started at number ${next}, and no trigger in the log starts it`;
  }

  private place({ place, held, acceptedAt }: Placed & { kind: 'place' }, mark: OrderMark): void {
    const { terms, stopLeg } = placeTermsOf(this.market, place, held, mark);
    if (stopLeg) this.engine.placePair(newOrder(terms), newOrder(stopLeg), acceptedAt, SILENT);
    else this.engine.place(newOrder(terms), acceptedAt, SILENT);
  }
}
