import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { NO_OUT_STOPS } from '@bourse/contract';
import type { CallContext, Clock, Config } from '@bourse/platform';

const RETRY_MS = 2_000;
const CALL_TIMEOUT_MS = 4_000;

/**
 * Something of a demo install (rules §17) that is made by the use cases of people, beside the running exchange: people
 * and balances may come later than we do, so it is tried until it is there.
 */
export abstract class DemoSeed implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(this.constructor.name);
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  /** `what` names it in requests and in the log. */
  constructor(
    private readonly what: string,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Makes what is missing of it. @throws while something it needs is not there */
  protected abstract createMissing(): Promise<void>;

  onApplicationBootstrap(): void {
    if (this.config.dev) this.tryUntilCreated();
  }
  beforeApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private tryUntilCreated(): void {
    this.createMissing().catch((error: unknown) => {
      this.log.debug(`the ${this.what} has to wait: ${String(error)}`);
      if (!this.stopped) this.timer = setTimeout(() => this.tryUntilCreated(), RETRY_MS).unref();
    });
  }

  /** A call of the install's own: it has no key and waits so long. */
  protected createContext(): CallContext {
    return {
      requestId: this.what.replace(' ', '-'),
      lang: 'en',
      ip: '',
      agent: '',
      caller: null,
      commandId: null,
      hasKey: false,
      bodyHash: null,
      validUntil: this.clock.real() + CALL_TIMEOUT_MS,
      outStops: NO_OUT_STOPS,
    };
  }
}
