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
  private isAsked = false;
  private isStopped = false;

  constructor(
    private readonly store: PushStore,
    private readonly service: PushService,
  ) {}

  onApplicationBootstrap(): void {
    this.timers = [
      setInterval(() => void this.sendDue().catch(this.warn), POLL_INTERVAL_MS).unref(),
      setInterval(() => void this.store.forget().catch(this.warn), FORGET_INTERVAL_MS).unref(),
    ];
  }
  beforeApplicationShutdown(): void {
    this.isStopped = true;
    this.timers.forEach((timer) => clearInterval(timer));
  }

  /** Begins to send due messages as far as slots are free. */
  async sendDue(): Promise<void> {
    this.isAsked = true;
    if (this.isTaking) return;
    this.isTaking = true;
    try {
      while (this.isAsked && !this.isStopped && this.sending < SENDING_MAX)
        for (const due of await this.takeDue()) void this.send(due).catch(this.warn);
    } finally {
      this.isTaking = false;
    }
  }

  /** Checks again for messages that arrived and slots that became free meanwhile. */
  private async takeDue(): Promise<readonly DuePush[]> {
    this.isAsked = false;
    const ofBusy = new Map([...this.sendingOf].map(([host, count]) => [host, SENDING_OF_HOST_MAX - count]));
    const places = { all: SENDING_MAX - this.sending, ofHost: SENDING_OF_HOST_MAX, ofBusy };
    const due = await this.store.take(places, LEASE_S);
    this.isAsked ||= due.length > 0;
    return due;
  }

  private async send(due: DuePush): Promise<void> {
    const { host } = due;
    this.sending++;
    this.sendingOf.set(host, (this.sendingOf.get(host) ?? 0) + 1);
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
      // Runs at once, so that a fast push service gets more messages per second than it has slots.
      void this.sendDue().catch(this.warn);
    }
  }

  private readonly warn = (error: unknown): void => this.logger.warn(`push messages wait: ${String(error)}`);
}
