import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Views } from '@bourse/messaging';

/** A call waits at most this long for its own event, ms: without Redis, gateways query auth again anyway. */
const WAIT_MS_MAX = 500;

/** The event to gateways about a person's sessions; `serial` identifies our own events. */
interface SessionView {
  readonly userId: number;
  readonly ended: readonly string[] | 'all';
  readonly serial: string;
}

/**
 * Publishes `session/<userId>` and waits until the event is received here. It reaches all subscribers at once, so that
 * by then the gateways have it too, and the answer of the call comes after it [AUTH-053].
 */
@Injectable()
export class SessionEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Auth');
  private readonly waiting = new Map<string, () => void>();
  private readonly session = `${process.pid}.${Date.now()}`;
  private count = 0;
  private unsubscribe: () => void = () => undefined;

  constructor(private readonly views: Views) {}

  onApplicationBootstrap(): void {
    this.unsubscribe = this.views.subscribe('session/', ({ serial }: SessionView) => this.waiting.get(serial)?.());
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
  }

  sessionsEnded(userId: number, ended: readonly string[] | 'all'): Promise<void> {
    const serial = `${this.session}.${(this.count += 1)}`;
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(serial);
        resolve();
      };
      const timer = setTimeout(() => {
        this.log.warn(`the session event of ${userId} was not received back within ${WAIT_MS_MAX} ms`);
        done();
      }, WAIT_MS_MAX);
      this.waiting.set(serial, done);
      this.views.publish(`session/${userId}`, { userId, ended, serial } satisfies SessionView);
    });
  }
}
