import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { NO_OUT_STOPS } from '@bourse/contract';
import type { CallContext, Clock, Config } from '@bourse/platform';

const RETRY_MS = 2_000;
const CALL_TIMEOUT_MS = 4_000;

/**
 * Creates a part of a demo install (rules §17) through the use cases, beside the running exchange. People and balances
 * may appear later, so it retries until it succeeds.
 */
export abstract class DemoSeed implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(this.constructor.name);
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  /** `what` names the part in requests and in the log. */
  constructor(
    private readonly what: string,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Creates what is missing. @throws while a prerequisite is missing */
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
      this.log.debug(`creating the ${this.what} is retried: ${String(error)}`);
      if (!this.stopped) this.timer = setTimeout(() => this.tryUntilCreated(), RETRY_MS).unref();
    });
  }

  /** The context of a call of the install: without a key, valid for `CALL_TIMEOUT_MS`. */
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
