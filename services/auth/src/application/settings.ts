import { defineSetting, flag } from '@bourse/settings';

/**
 * Whether operators of a demo install sign in with an authenticator code (rules §15). Every other install asks for one,
 * whatever is stored (`Operators.totpRequired`).
 */
export const ADMIN_TOTP = defineSetting('admin_totp', flag(), false, 'Operators sign in with an authenticator code.', {
  guarded: true,
});
/** The same outside of a demo: shown, and not to be switched off. */
export const ADMIN_TOTP_ALWAYS = defineSetting(ADMIN_TOTP.key, flag({ only: true }), true, ADMIN_TOTP.help, {
  guarded: true,
});
