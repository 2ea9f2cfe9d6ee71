import { ApiError, newIntent } from '@bourse/api-client';

export interface SubmissionState {
  /** From the press until the answer; after a success that leaves the page for good. */
  readonly busy: boolean;
  /** Why the last press did not succeed; kept until the next press. Anything but an `ApiError` is silence. */
  readonly failure: unknown;
}
/** Sends under an intent (idempotency key). Answering `leave` keeps the button locked, because the page goes away. */
export type Send = (intent: string) => Promise<void | 'leave'>;
/** A call under an intent names its contents: other contents are another act, refused under the same key. */
export type Run = [send: () => Promise<void | 'leave'>] | [send: Send, of: string | object];

/** Whether the exchange has refused for good: not where no answer came or the outcome is still pending. */
export const isFinal = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && failure.type !== 'pending';

/**
 * One press, one act: locked until the answer; an answer ends the intent. Silence and a pending outcome keep it for the
 * same act, so that the next press cannot act twice; other contents (`of`) are another act.
 */
export class Submission {
  private current: SubmissionState = { busy: false, failure: undefined };
  private intent = newIntent();
  private of: string | undefined;
  private readonly listeners = new Set<() => void>();

  readonly state = (): SubmissionState => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /**
   * @param of what is sent under the intent, without passwords
   * @returns whether it succeeded
   */
  async run(...[send, of]: Run): Promise<boolean> {
    const content = JSON.stringify(of);
    if (this.current.busy) return false;
    if (this.of !== content) this.intent = newIntent();
    this.of = content;
    this.show({ busy: true, failure: undefined });
    try {
      const answer = await send(this.intent);
      this.intent = newIntent();
      this.show({ busy: answer === 'leave', failure: undefined });
      return true;
    } catch (failure) {
      if (isFinal(failure)) this.intent = newIntent();
      this.show({ busy: false, failure });
      return false;
    }
  }

  /** The failure was read, or the form was changed. */
  readonly clear = (): void => {
    if (this.current.failure !== undefined) this.show({ ...this.current, failure: undefined });
  };

  private show(state: SubmissionState): void {
    this.current = state;
    for (const listener of this.listeners) listener();
  }
}
