/** The contents of a close of many positions: what a repeat without an answer must not mix with another close. */
export const closeContents = (
  type: number,
  scope: { readonly legal_id: number; readonly currency_id?: number } | undefined,
  cover: readonly string[] | undefined,
): object => [type, scope, cover];

/** The contents of a transfer of principal. */
export const principalContents = (type: number, legalId: number, number: string): object => [type, legalId, number];
