type Payload = Readonly<Record<string, unknown>>;
/** How often a state of one key is sent at most, and what its key is. */
export interface LiveLane {
  readonly everyMs: number;
  readonly key: (payload: Payload) => string;
}

/**
 * Private events that tell a state which the next one replaces: the first goes out at once, then the newest at most
 * once in the lane's time for each user and key. None is kept for who was away (api §4, `lever_trade`).
 */
export class LiveEvents {
  private readonly waiting = new Map<string, { timer: NodeJS.Timeout; newest: (() => void) | undefined }>();

  constructor(private readonly send: (userId: number, event: string, payload: Payload) => void) {}

  add(userId: number, event: string, payload: Payload, { everyMs, key }: LiveLane): void {
    const name = `${userId} ${event} ${key(payload)}`;
    const send = (): void => this.send(userId, event, payload);
    const pause = this.waiting.get(name);
    if (pause) {
      pause.newest = send;
      return;
    }
    send();
    this.pause(name, everyMs);
  }

  stop(): void {
    for (const { timer } of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }

  private pause(name: string, everyMs: number): void {
    const timer = setTimeout(() => {
      const newest = this.waiting.get(name)?.newest;
      this.waiting.delete(name);
      if (!newest) return;
      newest();
      this.pause(name, everyMs);
    }, everyMs).unref();
    this.waiting.set(name, { timer, newest: undefined });
  }
}
