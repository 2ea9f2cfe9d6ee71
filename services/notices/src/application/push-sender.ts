import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { pauseAfter } from '../domain/push.js';
import { PushService, PushStore, type DuePush } from './push-ports.js';

const POLL_INTERVAL_MS = 1_000;
const FORGET_INTERVAL_MS = 60_000;
/** The most messages that are sent at the same time: in all, and to one push service. */
const SENDING_MAX = 32;
const SENDING_OF_HOST_MAX = 8;
/** Longer than a try takes. */
const LEASE_S = 30;
const BUSY_PAUSE_S = 2;

/**
 * Sends queued messages apart from everything else: a push service that does not answer holds no transaction, and has
 * few of the places.
 */
@Injectable()
export class PushSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('PushSender');
  private timers: readonly NodeJS.Timeout[] = [];
  private sending = 0;
  private readonly sendingOf = new Map<string, number>();
  private isTaking = false;

  constructor(
    private readonly store: PushStore,
    private readonly service: PushService,
  ) {}

  onApplicationBootstrap(): void {
    const warn = (error: unknown): void => this.logger.warn(`push messages wait: ${String(error)}`);
    this.timers = [
      setInterval(() => void this.sendDue().catch(warn), POLL_INTERVAL_MS).unref(),
      setInterval(() => void this.store.forget().catch(warn), FORGET_INTERVAL_MS).unref(),
    ];
  }
  beforeApplicationShutdown(): void {
    this.timers.forEach((timer) => clearInterval(timer));
  }

  /** Begins to send what is due; resolves when all of it was tried. */
  async sendDue(): Promise<void> {
    const free = SENDING_MAX - this.sending;
    if (this.isTaking || free <= 0) return;
    this.isTaking = true;
    const due = await this.store.take(free, LEASE_S).finally(() => {
      this.isTaking = false;
    });
    await Promise.all(due.map((one) => this.send(one)));
  }

  private async send(due: DuePush): Promise<void> {
    const { host } = new URL(due.endpoint);
    const ofHost = this.sendingOf.get(host) ?? 0;
    if (ofHost >= SENDING_OF_HOST_MAX) return this.store.postpone({ ...due, tries: due.tries - 1 }, BUSY_PAUSE_S);
    this.sending++;
    this.sendingOf.set(host, ofHost + 1);
    try {
      const outcome = await this.service.send(due);
      const pause = outcome === 'later' ? pauseAfter(due.tries) : null;
      if (outcome === 'later' && pause !== null) await this.store.postpone(due, pause);
      else await this.store.settle(due, outcome === 'later' ? 'refused' : outcome);
    } finally {
      this.sending--;
      const left = (this.sendingOf.get(host) ?? 1) - 1;
      if (left > 0) this.sendingOf.set(host, left);
      else this.sendingOf.delete(host);
    }
  }
}
