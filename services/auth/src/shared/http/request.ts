import { isLanguage } from '@bourse/contract';
import { Refused, type CallContext } from '@bourse/platform';
import { readEmail, readMobile, type AccountName } from '../domain/account-name.js';
import type { Origin } from '../application/ports/sessions.js';

const AGENT_LENGTH_MAX = 200;

/** Refusals of the second step of a sign-in or a confirmation. */
export const SECOND_STEP_REFUSES = [
  'login.totpRequired',
  'login.totpWrong',
  'login.passkeyRequired',
  'login.passkeyWrong',
  'passkey.unavailable',
];

export const originOf = (context: CallContext): Origin => ({
  ip: context.ip,
  agent: context.agent.slice(0, AGENT_LENGTH_MAX),
  device: context.device ?? null,
  lang: isLanguage(context.lang) ? context.lang : 'en',
  validUntil: context.validUntil,
});

/**
 * Name of the account by its pattern, or of the kind that the caller states. Throws `register.emailFalse`,
 * `register.mobileFalse`.
 */
export function readName(
  text: string,
  areaCode: string | undefined,
  field: string,
  kind?: 'email' | 'mobile',
): AccountName {
  const name =
    kind === 'email'
      ? readEmail(text)
      : kind === 'mobile'
        ? readMobile(text, areaCode)
        : (readEmail(text) ?? readMobile(text, areaCode));
  if (name) return name;
  const looksLikeMail = kind === 'email' || (kind === undefined && text.includes('@'));
  throw new Refused(looksLikeMail ? 'register.emailFalse' : 'register.mobileFalse', {}, { field });
}
