/** Frames that a socket may send per second, and the burst allowed at the start of a page. */
const FRAMES_PER_SECOND = 10;
const FRAMES_SAVED_MAX = 20;
/** This many refused frames within this time are a flood. */
const FLOOD_FRAMES = 100;
const FLOOD_MS = 10_000;

/** Limits the frames of one socket, and detects a flood of refused ones. */
export class FrameAllowance {
  private tokens = FRAMES_SAVED_MAX;
  private at: number;
  /** Times of the newest refused frames, oldest first. */
  private refused: number[] = [];

  constructor(now: number) {
    this.at = now;
  }

  /** Admits or refuses a frame; a refused one costs no token. */
  admit(now: number): boolean {
    this.tokens = Math.min(FRAMES_SAVED_MAX, this.tokens + ((now - this.at) / 1_000) * FRAMES_PER_SECOND);
    this.at = now;
    if (this.tokens >= 1) {
      this.tokens -= 1;
      return true;
    }
    this.refuse(now);
    return false;
  }

  /** Counts a frame that was refused for another reason; returns whether the socket must be closed for it. */
  refuse(now: number): boolean {
    this.refused = [...this.refused.slice(1 - FLOOD_FRAMES), now];
    return this.isFlooding;
  }

  /** Time until the next frame is admitted, ms. */
  get retryMs(): number {
    return Math.max(1, Math.ceil(((1 - this.tokens) / FRAMES_PER_SECOND) * 1_000));
  }

  /** Whether so many frames were refused in a short time that the socket must be closed. */
  get isFlooding(): boolean {
    return this.refused.length >= FLOOD_FRAMES && this.refused.at(-1)! - this.refused[0]! <= FLOOD_MS;
  }
}
