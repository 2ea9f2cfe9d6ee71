import { BUY, type Side } from './book.js';
import type { Order } from './order.js';
import { SortedList } from './sorted-list.js';
import { follow, triggerAt, type Trail } from './trail.js';

/** Active stops that have one best price: it moves for all of them at once. */
interface Group {
  best: number;
  /** The trigger that is met first, of the stop with the least distance. */
  trigger: number;
  /** The least distance first. */
  readonly stops: SortedList<Order>;
}

/**
 * The waiting trailing stops of one side whose distances have one unit, percent or ticks. After a trade all active ones
 * whose best price it betters have the same best price, and keep it in common from then on; among them the one with the
 * least distance starts first. So a trade costs the groups that it joins, and the stops that it activates or starts,
 * however many others it moves. Trail and trigger of a stop are derived when they are read.
 */
export class TrailingStops {
  /** Those that no price has activated, the next one to be activated first. */
  private readonly inactive: SortedList<Order>;
  /** The group that a better price moves first, first. */
  private readonly groups: SortedList<Group>;
  /** The same groups, the one whose trigger is met first, first. */
  private readonly triggers: SortedList<Group>;
  /** All waiting stops, with the groups of the active ones. */
  private readonly places = new Map<Order, Group | null>();

  constructor(private readonly side: Side) {
    // Of two prices the one that a rising (sell) or falling (buy) price reaches first, and the one that it leaves last.
    const early = side === BUY ? (a: number, b: number) => b - a : (a: number, b: number) => a - b;
    this.inactive = new SortedList(
      (a, b) => early(a.trail!.activation, b.trail!.activation) || a.sequence - b.sequence,
    );
    this.groups = new SortedList((a, b) => early(a.best, b.best));
    this.triggers = new SortedList((a, b) => early(b.trigger, a.trigger) || early(a.best, b.best));
  }

  /** The waiting stops in no particular order. */
  get all(): Iterable<Order> {
    return this.places.keys();
  }

  /** Adds a stop that the last price does not start. Until it is taken out, trades alone change trail and trigger. */
  add(order: Order): void {
    if (order.trail!.best === 0) {
      this.places.set(order, null);
      this.inactive.add(order);
    } else this.activate(order, order.trail!.best);
  }

  /** Takes a stop out, with its present trail and trigger; one that does not wait here changes nothing. */
  delete(order: Order): void {
    const group = this.places.get(order);
    if (group === undefined) return;
    if (group) {
      this.triggers.delete(group);
      group.stops.delete(order);
      this.order(group);
    } else this.inactive.delete(order);
    this.release(order);
  }

  /** Follows a trade: takes out the stops whose triggers it meets, as `due`, and moves the others. */
  follow(price: number, due: Order[]): void {
    if (this.places.size === 0) return;
    for (let group = this.triggers.next; group && this.meets(price, group.trigger); group = this.triggers.next) {
      this.triggers.take();
      for (let stop = group.stops.next; stop && this.meets(price, stop.stopPrice); stop = group.stops.next) {
        group.stops.take();
        this.release(stop);
        due.push(stop);
      }
      this.order(group);
    }
    let moved: Group | undefined;
    for (let group = this.groups.next; group && this.betters(price, group.best); group = this.groups.next) {
      this.groups.take();
      this.triggers.delete(group);
      moved = moved ? this.union(moved, group) : group;
    }
    if (moved) {
      moved.best = price;
      this.join(moved);
    }
    for (let stop = this.inactive.next; stop && follow(stop.trail!, this.side, price) !== stop.trail;) {
      this.inactive.take();
      this.activate(stop, price);
      stop = this.inactive.next;
    }
  }

  private meets(price: number, trigger: number): boolean {
    return trigger !== 0 && (this.side === BUY ? price >= trigger : price <= trigger);
  }

  private betters(price: number, best: number): boolean {
    return this.side === BUY ? price < best : price > best;
  }

  private activate(order: Order, best: number): void {
    const group: Group = { best, trigger: 0, stops: new SortedList(byDistance) };
    group.stops.add(order);
    this.places.set(order, group);
    this.bind(order);
    this.join(group);
  }

  /** Puts a group to the others, or its stops into the group with its best price. */
  private join(group: Group): void {
    const same = this.groups.find(group);
    if (!same) {
      this.groups.add(group);
      this.order(group);
      return;
    }
    this.groups.delete(same);
    this.triggers.delete(same);
    const whole = this.union(same, group);
    this.groups.add(whole);
    this.order(whole);
  }

  /** One group of the stops of two, with the best price of the larger one; the stops of the smaller one move. */
  private union(one: Group, other: Group): Group {
    const [into, from] = one.stops.size < other.stops.size ? [other, one] : [one, other];
    for (const order of from.stops) this.places.set(order, into);
    into.stops.merge(from.stops);
    return into;
  }

  /** Puts a group whose stops have changed to its place in the order of the triggers; an empty one leaves. */
  private order(group: Group): void {
    const first = group.stops.next;
    if (!first) return this.groups.delete(group);
    group.trigger = triggerAt(first.trail!, this.side, group.best);
    this.triggers.add(group);
  }

  /** From here on trail and trigger of an order are read from its group. */
  private bind(order: Order): void {
    let trail = order.trail as Trail;
    const present = (): Trail => {
      const { best } = this.places.get(order) as Group;
      return trail.best === best ? trail : (trail = { ...trail, best });
    };
    const read = { enumerable: true, configurable: true };
    Object.defineProperties(order, {
      trail: { get: present, ...read },
      stopPrice: { get: () => triggerAt(present(), this.side, present().best), ...read },
    });
  }

  /** Ends what `bind` began: the order keeps its present trail and trigger. */
  private release(order: Order): void {
    const { trail, stopPrice } = order;
    const plain = { writable: true, enumerable: true, configurable: true };
    Object.defineProperties(order, { trail: { value: trail, ...plain }, stopPrice: { value: stopPrice, ...plain } });
    this.places.delete(order);
  }
}

/** Distances of one unit; at one distance in time order: no two have one sequence. */
const byDistance = (a: Order, b: Order): number =>
  a.trail!.percent - b.trail!.percent || a.trail!.amount - b.trail!.amount || a.sequence - b.sequence;
