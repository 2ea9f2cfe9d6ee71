/** Frames a socket may send: ten a second, with a second's worth saved up for the start of a page. */
export class FrameAllowance {
  private tokens = 20;
  private at: number;
  constructor(now: number) {
    this.at = now;
  }

  admit(now: number): boolean {
    this.tokens = Math.min(20, this.tokens + ((now - this.at) / 1_000) * 10);
    this.at = now;
    this.tokens -= 1;
    return this.tokens >= 0;
  }

  /** So far beyond the allowance that the socket is cut. */
  get flooding(): boolean {
    return this.tokens < -100;
  }
}
