import type { LedgerReply } from '@bourse/events';
import { AskUnavailable, InProcessAsks, InProcessReplies, InProcessViews, type Ask } from '@bourse/messaging';
import type { FaultPlan } from './fault-plan.js';
import type { NetworkConditions } from './network.js';
import type { SimulatedProcess, Simulator } from './simulator.js';

/** Replaces Redis of the distributed run: replies, views and queries between processes. The embedded run has none. */
export class Channels {
  private readonly members = new Map<
    SimulatedProcess,
    { readonly replies: SimulatedReplies; readonly views: SimulatedViews; readonly asks: SimulatedAsks }
  >();
  readonly kept = new Map<string, object>();

  constructor(
    readonly simulator: Simulator,
    readonly plan: FaultPlan,
    readonly conditions: NetworkConditions,
  ) {}

  join(process: SimulatedProcess): { replies: SimulatedReplies; views: SimulatedViews; asks: SimulatedAsks } {
    const member = {
      replies: new SimulatedReplies(process, this),
      views: new SimulatedViews(process, this),
      asks: new SimulatedAsks(process, this),
    };
    for (const [channel, payload] of this.kept) member.views.receive(channel, payload, true);
    this.members.set(process, member);
    return member;
  }
  leave(process: SimulatedProcess): void {
    this.members.delete(process);
  }

  living(): [
    SimulatedProcess,
    { readonly replies: SimulatedReplies; readonly views: SimulatedViews; readonly asks: SimulatedAsks },
  ][] {
    return [...this.members].filter(([process]) => process.alive);
  }

  lost(): boolean {
    const { simulator, conditions, plan } = this;
    return (
      !conditions.healed &&
      (simulator.now < conditions.repliesLostUntil || simulator.random.chance(plan.chances.lostReply))
    );
  }
}

export class SimulatedReplies extends InProcessReplies {
  constructor(
    process: SimulatedProcess,
    private readonly channels: Channels,
  ) {
    super(process.name);
  }

  override publish(replyTo: string, reply: LedgerReply): void {
    const { simulator } = this.channels;
    if (this.channels.lost()) return;
    const times = !this.channels.conditions.healed && simulator.random.chance(0.05) ? 2 : 1;
    for (const [process, { replies }] of this.channels.living()) {
      if (process.name !== replyTo) continue;
      for (let n = 0; n < times; n++)
        simulator.schedule(process, 0.1 + simulator.random.next() * 2, 'reply', () => replies.receive(reply));
    }
  }
  receive(reply: LedgerReply): void {
    super.publish(this.instance, reply);
  }
}

export class SimulatedViews extends InProcessViews {
  constructor(
    _process: SimulatedProcess,
    private readonly channels: Channels,
  ) {
    super();
  }

  override publish(channel: string, payload: object, keep = false): void {
    if (keep) this.channels.kept.set(channel, payload);
    for (const [process, { views }] of this.channels.living()) {
      if (views === this) this.receive(channel, payload, keep);
      else if (!this.channels.lost())
        this.channels.simulator.schedule(process, 0.1 + this.channels.simulator.random.next(), 'view', () =>
          views.receive(channel, payload, keep),
        );
    }
  }
  receive(channel: string, payload: object, keep: boolean): void {
    super.publish(channel, payload, keep);
  }
}

export class SimulatedAsks extends InProcessAsks {
  private readonly names = new Set<string>();
  constructor(
    private readonly process: SimulatedProcess,
    private readonly channels: Channels,
  ) {
    super();
  }

  override handle<Q, A>(ask: Ask<Q, A>, answer: (question: NoInfer<Q>) => A | Promise<A>): void {
    this.names.add(ask.name);
    super.handle(ask, answer);
  }

  override async ask<Q, A>(ask: Ask<Q, A>, question: NoInfer<Q>, timeoutMs = 2_000): Promise<A> {
    const { name } = ask;
    if (this.names.has(name)) return super.ask<Q, A>(ask, question, timeoutMs);
    const { simulator } = this.channels;
    const target = this.channels.living().find(([, { asks }]) => asks.names.has(name));
    return new Promise<A>((resolve, reject) => {
      simulator.schedule(this.process, timeoutMs, `no answer to ${name}`, () =>
        reject(new AskUnavailable(`${name} did not answer`)),
      );
      if (!target || this.channels.lost()) return;
      const [process, { asks }] = target;
      simulator.schedule(process, 0.2 + simulator.random.next(), `question ${name}`, () => {
        const back = (settle: () => void): void => {
          if (!this.channels.lost())
            simulator.schedule(this.process, 0.2 + simulator.random.next(), `answer ${name}`, settle);
        };
        asks.ask<Q, A>(ask, question, timeoutMs).then(
          (answer) => back(() => resolve(answer)),
          (error: Error) => back(() => reject(error)),
        );
      });
    });
  }
}
