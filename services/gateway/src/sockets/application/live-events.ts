import type { LiveLane } from '@bourse/contract';

type Payload = Readonly<Record<string, unknown>>;

/**
 * Private events that carry a state which the next one replaces: the first is sent at once, then the newest at most
 * once per the lane's interval for each user and key, merged with those that waited before it. None is kept for offline
 * users (api §4, `lever_trade`).
 */
export class LiveEvents {
  private readonly waiting = new Map<string, { timer: NodeJS.Timeout; newest: Payload | undefined }>();

  constructor(private readonly send: (userId: number, event: string, payload: Payload) => void) {}

  add(userId: number, event: string, payload: Payload, { everyMs, key, merge }: LiveLane): void {
    const name = `${userId} ${event} ${key(payload)}`;
    const pause = this.waiting.get(name);
    if (pause) {
      pause.newest = pause.newest && merge ? merge(pause.newest, payload) : payload;
      return;
    }
    this.send(userId, event, payload);
    this.pause(name, everyMs, (newest) => this.send(userId, event, newest));
  }

  stop(): void {
    for (const { timer } of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }

  private pause(name: string, everyMs: number, send: (newest: Payload) => void): void {
    const timer = setTimeout(() => {
      const newest = this.waiting.get(name)?.newest;
      this.waiting.delete(name);
      if (!newest) return;
      send(newest);
      this.pause(name, everyMs, send);
    }, everyMs).unref();
    this.waiting.set(name, { timer, newest: undefined });
  }
}
