/** Keeps what must be read again, but not from a leaked table. A text sealed for one purpose opens for no other. */
export abstract class Seal {
  /** `context` names the record, so that it opens for no other one. */
  abstract seal(purpose: SealPurpose, text: string, context?: string): string;
  /** Throws when the text was sealed for something else, changed, or sealed under a key that is not there. */
  abstract open(purpose: SealPurpose, sealed: string, context?: string): string;
  /** What everything begins with that is sealed under the newest key. */
  abstract readonly prefix: string;
  abstract isCurrent(sealed: string): boolean;
  /** By what a sealed text is found that is equal but for case: the first is stored, any of them may match. */
  abstract marks(purpose: SealPurpose, text: string): string[];
}
/** What a text is sealed for. */
export type SealPurpose =
  | 'totp'
  | 'card'
  | 'phishing'
  | 'apikey'
  | 'authorization'
  | 'name'
  | 'bank'
  | 'payment'
  | 'region';
