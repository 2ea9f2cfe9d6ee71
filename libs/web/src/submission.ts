import { ApiError, newIntent } from '@bourse/api-client';

export interface SubmissionState {
  /** From the press until the answer; after a success that leaves the page for good. */
  readonly busy: boolean;
  /** Why the last press failed; kept until the next press. Any error but an `ApiError` means that no answer came. */
  readonly failure: unknown;
}
/** Returning `leave` keeps the button locked, because the page is left. */
type Sent = Promise<void | 'leave'>;
/**
 * Sends a call, or sends one under an intent (idempotency key) with its contents: other contents (`of`) are another
 * act. Contents that move by themselves, as a price does, are `moving`: an act without an answer is sent again with
 * those that it had. Returns whether it succeeded.
 */
export interface Run {
  (send: () => Sent): Promise<boolean>;
  (send: (intent: string) => Sent, of: string | object): Promise<boolean>;
  <M>(send: (intent: string, moving: M) => Sent, of: string | object, moving: M): Promise<boolean>;
}

/** HTTP status of a defect: a command may have had its effect (api §1.4). */
const DEFECT = 500;

/** Whether the exchange has refused for good: not where no answer came, or the outcome is pending or unknown. */
export const isFinal = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && failure.type !== 'pending' && failure.status !== DEFECT;

/**
 * One press, one act: locked until the answer; an answer ends the intent. Without an answer, with a pending outcome or
 * after a defect, the same act keeps its intent, so that the next press cannot act twice; other contents (`of`) are
 * another act.
 */
export class Submission {
  private current: SubmissionState = { busy: false, failure: undefined };
  private intent = newIntent();
  private of: string | undefined;
  private moving: unknown;
  private readonly listeners = new Set<() => void>();

  readonly state = (): SubmissionState => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly run: Run = async (
    send: (intent: string, moving: never) => Sent,
    of?: string | object,
    moving?: unknown,
  ): Promise<boolean> => {
    const content = JSON.stringify(of);
    if (this.current.busy) return false;
    if (this.of !== content) this.end();
    this.of = content;
    this.moving ??= moving;
    this.show({ busy: true, failure: undefined });
    try {
      const answer = await send(this.intent, this.moving as never);
      this.end();
      this.show({ busy: answer === 'leave', failure: undefined });
      return true;
    } catch (failure) {
      if (isFinal(failure)) this.end();
      this.show({ busy: false, failure });
      return false;
    }
  };

  /** The next press is another act. */
  private end(): void {
    this.intent = newIntent();
    this.moving = undefined;
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
