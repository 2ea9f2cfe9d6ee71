/** The server admits ten frames a second (api §4). */
const FRAMES_MAX = 10;
const WINDOW_MS = 1_000;

/** Sends one frame, if there still is one to send. @returns whether a frame went out */
export type SendFrame = () => boolean;

/**
 * Paces the frames of a socket: at most ten leave within a second, what comes beyond waits for its turn in its order.
 */
export class FrameQueue {
  private waiting: SendFrame[] = [];
  /** When the last frames left, oldest first. */
  private sentAt: number[] = [];
  private pausedUntil = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isFlushing = false;

  /** `now` rises with real time, ms. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  add(send: SendFrame): void {
    this.waiting.push(send);
    this.flush();
  }

  /** Nothing leaves for so long: the server has refused a frame. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.now() + ms);
  }

  /** Drops the waiting frames: their connection is lost. A new one has an allowance of its own. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
    this.sentAt = [];
    this.pausedUntil = 0;
  }

  private flush(): void {
    // A frame that adds another one while it is sent does not overtake its own count.
    if (this.timer !== undefined || this.isFlushing) return;
    this.isFlushing = true;
    for (let send = this.waiting[0]; send; send = this.waiting[0]) {
      const wait = this.turnIn();
      if (wait > 0) {
        this.timer = setTimeout(() => {
          this.timer = undefined;
          this.flush();
        }, Math.ceil(wait));
        break;
      }
      this.waiting.shift();
      if (send()) this.sentAt = [...this.sentAt.slice(1 - FRAMES_MAX), this.now()];
    }
    this.isFlushing = false;
  }

  /** Ms until the next frame may leave. */
  private turnIn(): number {
    const now = this.now();
    const oldest = this.sentAt.length < FRAMES_MAX ? -Infinity : this.sentAt[0]!;
    return Math.max(this.pausedUntil, oldest + WINDOW_MS) - now;
  }
}
