/** Random digits, letters and bytes. */
export abstract class Randomness {
  abstract digits(count: number): string;
  /** Capital letters and digits without those that look alike. */
  abstract letters(count: number): string;
  /** Random bytes as base64url text. */
  abstract secret(bytes: number): string;
}
