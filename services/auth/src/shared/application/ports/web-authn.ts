import type { PasskeyCreation, PasskeyRequest } from '@bourse/contract';
import type { Passkey } from './passkeys.js';

/** The browser's answer when a passkey was made, as `@simplewebauthn/browser` and `toJSON()` write it. */
export interface NewPasskeyAnswer {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[] | undefined;
  };
}
/** The browser's answer when a passkey has signed. */
export interface PasskeyAnswer {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | null | undefined;
  };
}

/** The ceremonies of WebAuthn for this install. */
export abstract class WebAuthn {
  /** Throws `passkey.unavailable` where the install has no public name. */
  abstract creation(
    person: { readonly id: number; readonly name: string },
    existing: readonly Passkey[],
  ): Promise<PasskeyCreation>;
  /** `allowed`: the passkeys that may answer; empty: any of this install. Throws `passkey.unavailable`. */
  abstract request(allowed: readonly Passkey[]): Promise<PasskeyRequest>;
  /** The challenge that an answer says it signs; null: it is no answer. */
  abstract challengeOf(answer: NewPasskeyAnswer | PasskeyAnswer): string | null;
  /** The credential of a right answer to `challenge`; null: the answer is wrong. */
  abstract verifyNew(
    answer: NewPasskeyAnswer,
    challenge: string,
  ): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'> | null>;
  /** The counter of a right answer of this passkey to `challenge`; null: the answer is wrong. */
  abstract verify(answer: PasskeyAnswer, challenge: string, passkey: Passkey): Promise<number | null>;
}
