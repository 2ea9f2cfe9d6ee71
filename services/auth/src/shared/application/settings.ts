import { defineSetting, flag } from '@bourse/settings';

/**
 * Whether operators of a demo install sign in with an authenticator code (rules §15). Every other install requires one,
 * whatever is stored (`Operators.totpRequired`).
 */
export const ADMIN_TOTP = defineSetting('admin_totp', flag(), false, 'Operators sign in with an authenticator code.', {
  guarded: true,
});
/** The same setting outside of a demo: displayed, and always on. */
export const ADMIN_TOTP_ALWAYS = defineSetting(ADMIN_TOTP.key, flag({ only: true }), true, ADMIN_TOTP.help, {
  guarded: true,
});
