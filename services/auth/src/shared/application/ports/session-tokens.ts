/** Session tokens: signed JWTs that name a random session secret. */
export abstract class Tokens {
  /** `subject`: the user's id, or `operator:` and the operator's id. */
  abstract issue(subject: number | string): {
    readonly token: string;
    readonly tokenHash: string;
    readonly publicId: string;
  };
  /** SHA-256 of the secret in a token signed by this exchange, or null. */
  abstract read(token: string): string | null;
}
