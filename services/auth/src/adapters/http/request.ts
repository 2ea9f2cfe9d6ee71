import { ApiBody } from '@nestjs/swagger';
import { isLanguage } from '@bourse/contract';
import { present, Refused, readOneOf, type CallContext, type FieldRecord } from '@bourse/platform';
import { readEmail, readMobile, type AccountName } from '../../domain/account-name.js';
import { SCENES, type Scene } from '../../domain/code.js';
import { fitsLength } from '../../domain/password.js';
import type { Origin } from '../../application/ports.js';

const AGENT_LENGTH_MAX = 200;

export const originOf = (context: CallContext): Origin => ({
  ip: context.ip,
  agent: context.agent.slice(0, AGENT_LENGTH_MAX),
  device: context.device ?? null,
  lang: isLanguage(context.lang) ? context.lang : 'en',
});

/** The text that names the account: `set.enterAccount` when there is none. */
export function readAccountText(fields: FieldRecord, field: string): string {
  const text = present(fields, field);
  if (text === undefined) throw new Refused('set.enterAccount', {}, { field });
  return text;
}

/**
 * Name of the account by its pattern, or by what the caller says it is. Throws `register.emailFalse`,
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

export function readCode(fields: FieldRecord, field: string): string {
  const code = present(fields, field);
  if (code === undefined) throw new Refused('set.enterCode', {}, { field });
  return code;
}

/** A login password; only its length is looked at, and blanks belong to it. */
export function readPassword(fields: FieldRecord, field: string, key: 'login.psw6' | 'register.psw16'): string {
  const password = fields[field];
  if (!fitsLength(password)) throw new Refused(key, {}, { field });
  return password;
}

export const areaCodeOf = (fields: FieldRecord): string | undefined =>
  present(fields, 'area_code') ?? present(fields, 'country_code');

/** `scene`, or `type` as older screens call it; undefined when both are absent. */
export function readScene(fields: FieldRecord): Scene | undefined {
  const field = present(fields, 'scene') === undefined ? 'type' : 'scene';
  return present(fields, field) === undefined ? undefined : readOneOf(fields, field, SCENES);
}

/** Names the fields of a call in the OpenAPI document; a star marks those that must be there. */
export const Takes = (...names: string[]): MethodDecorator =>
  ApiBody({
    schema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name.replace('*', ''), { type: 'string' }])),
      required: names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1)),
    },
  });
