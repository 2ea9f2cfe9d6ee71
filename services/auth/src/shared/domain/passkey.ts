/** Limits of passkeys. A challenge ages by the clock of sessions. */
export const PASSKEY = { perUser: 10, label: 50, challengeLifeMs: 2 * 60_000 } as const;

/** The purpose of a challenge; its answer counts for nothing else. */
export type ChallengePurpose = 'register' | 'sign_in' | 'second_step';
