/**
 * Encrypts data that must be readable again, but not from a leaked table. A text sealed for one purpose opens for no
 * other.
 */
export abstract class Seal {
  /** `context` names the record; the text opens for no other one. */
  abstract seal(purpose: SealPurpose, text: string, context?: string): string;
  /** Throws when the text was sealed for another purpose, was changed, or is sealed under an unknown key. */
  abstract open(purpose: SealPurpose, sealed: string, context?: string): string;
  /** Prefix of all texts sealed under the newest key. */
  abstract readonly prefix: string;
  abstract isCurrent(sealed: string): boolean;
  /** Marks for searching sealed texts, ignoring case: the first is stored, any of them may match. */
  abstract marks(purpose: SealPurpose, text: string): string[];
}
/** Purpose of a sealed text. */
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
