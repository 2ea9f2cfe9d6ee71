import type { AnySimulatedService, SimulatedAnswer, SimulatedAnswers, SimulatedCall } from '@bourse/ledger-client';
import { contextOf, type Callers } from './callers.js';
import { LOAD_MS } from './fault-plan.js';

/** Calls to each service in one run, and to the one that people crowd. */
const CALLS = 20;
const CROWD = 200;

type Call = SimulatedAnswers & { readonly told: SimulatedAnswer[] };

/** The calls that services draw for people, some of them made again under the same command id. */
export class ServiceCalls {
  private readonly calls = new Map<string, Call[]>();

  constructor(
    private readonly callers: Callers,
    private readonly crowd: string | undefined,
  ) {}

  /** Returns the answers to the calls of a service. */
  of(service: string): readonly SimulatedAnswers[] {
    return this.calls.get(service) ?? [];
  }

  async use({ service, draw }: AnySimulatedService, users: readonly number[]): Promise<void> {
    if (!draw) return;
    const { random } = this.callers.simulator;
    const calls: Call[] = [];
    this.calls.set(service, calls);
    const count = this.crowd === service ? CROWD : CALLS;
    for (let number = 1; number <= count; number++) {
      await this.callers.pause(random.between(400 / count, (LOAD_MS * 2) / count));
      const user = random.pick(users);
      const known = calls
        .filter((call) => call.user === user)
        .flatMap(({ told }) => told.flatMap((one) => (one.kind === 'ok' ? one.id : [])));
      const { fields, run } = draw(random, user, known);
      const told: SimulatedAnswer[] = [];
      calls.push({ user, fields, told });
      void this.call(service, `${service}:${number}`, run, told);
    }
    await this.callers.pause(LOAD_MS / 2);
  }

  private async call(
    service: string,
    commandId: string,
    run: SimulatedCall<unknown>['run'],
    told: SimulatedAnswer[],
  ): Promise<void> {
    const { random } = this.callers.simulator;
    const call = (): Promise<SimulatedAnswer> =>
      this.callers.call(service, (running, target) => run(running, contextOf(target, commandId, 'body')));
    told.push(await call());
    while (random.chance(0.3)) told.push(await call());
  }
}
