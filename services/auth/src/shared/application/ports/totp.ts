/** Codes of authenticator apps (TOTP). */
export abstract class Totp {
  /** A new secret: in base32, as the URL that authenticator apps read, and sealed. */
  abstract create(account: string): { readonly secret: string; readonly url: string; readonly sealed: string };
  /** The time step that this code belongs to, or null when it is wrong at `now` (one step of skew). */
  abstract step(sealedSecret: string, code: string, now: number): number | null;
}
