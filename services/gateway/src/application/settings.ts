/** Settings of the edge as a fresh install has them (rules §15). */
export const SETTINGS = {
  isOpen: true,
  loginNeedCode: false,
  inviteCodeMust: false,
  defaultLocale: 'en',
  theme: 'dark',
} as const;
