import type { SimulatedAnswer } from '@bourse/ledger-client';
import { isConnectionRefused, Refused, Unavailable, type CallContext, type Notice } from '@bourse/platform';
import { inScope } from './host.js';
import { SimulatedProcess, type Simulator } from './simulator.js';
import type { RunningProcess, World } from './world.js';

/** Timeout of a caller, ms. */
export const CALL_TIMEOUT_MS = 5_000;
/** A call is taken for so long, ms. */
const VALID_MS = 4_000;

/** The network between clients and the exchange; it loses calls and answers. */
export class Callers {
  readonly process: SimulatedProcess;
  readonly simulator: Simulator;

  constructor(private readonly world: World) {
    this.simulator = world.simulator;
    this.process = new SimulatedProcess('clients', 0, this.simulator);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.simulator.schedule(this.process, ms, 'pause', resolve);
    });
  }

  /**
   * Runs in the first living process that has the service; done when that is, however it ended, or if none has it. Work
   * in a process that is killed never ends: then it is done when the caller's patience is over.
   */
  async inProcess(service: string, work: (running: unknown) => Promise<unknown>): Promise<void> {
    const [target] = this.world.living(({ services }) => services.has(service));
    if (!target) return;
    await new Promise<void>((resolve) => {
      this.simulator.schedule(this.process, CALL_TIMEOUT_MS, 'out of patience', resolve);
      inScope(target.process, () => {
        work(target.services.get(service)).then(
          () => resolve(),
          () => resolve(),
        );
      });
    });
  }

  /** A call of a service over the network, as a client sees it: an answer, an error, or silence. */
  call(service: string, work: (running: unknown, target: RunningProcess) => Promise<Notice>): Promise<SimulatedAnswer> {
    const { simulator, world } = this;
    const lost = (): boolean => !world.conditions.healed && simulator.random.chance(world.plan.chances.lostCall);
    return new Promise((resolve) => {
      simulator.schedule(this.process, CALL_TIMEOUT_MS, 'out of patience', () => resolve({ kind: 'unknown' }));
      if (lost()) return;
      simulator.after(0.2 + simulator.random.next() * 3, 'call', () => {
        const targets = world.living(({ services }) => services.has(service));
        if (targets.length === 0) {
          simulator.schedule(this.process, 1, 'connection refused', () => resolve({ kind: 'nothing' }));
          return;
        }
        const target = simulator.random.pick(targets);
        simulator.schedule(target.process, 0, 'call arrives', () => {
          const back = (told: SimulatedAnswer): void => {
            if (!lost())
              simulator.schedule(this.process, 0.2 + simulator.random.next() * 3, 'answer arrives', () =>
                resolve(told),
              );
          };
          work(target.services.get(service), target).then(
            ({ extra }) => back({ kind: 'ok', id: typeof extra['id'] === 'string' ? extra['id'] : '', extra }),
            (error: unknown) => back(answerOf(error)),
          );
        });
      });
    });
  }
}

/** The context of a call under a command id, as the edge makes it by the clock of the process. */
export const contextOf = ({ clock }: RunningProcess, commandId: string, bodyHash: string): CallContext =>
  ({
    ...{ commandId, hasKey: true, bodyHash, validUntil: clock.real() + VALID_MS },
    outStops: { frozenSince: null, pausedSince: null, blocked: null },
  }) as CallContext;

/**
 * As the edge answers (platform's refusal filter): a call that needs a dead process had no effect; every unforeseen
 * error is an unknown outcome.
 */
function answerOf(error: unknown): SimulatedAnswer {
  if (error instanceof Refused) {
    const { type = 'error' } = error.options;
    if (type === 'pending' || error.key === 'common.processing') return { kind: 'unknown' };
    return error.key === 'market.paused' || error.key === 'common.unavailable'
      ? { kind: 'nothing' }
      : { kind: 'refused', key: error.key };
  }
  return error instanceof Unavailable || isConnectionRefused(error) ? { kind: 'nothing' } : { kind: 'unknown' };
}
