import { z } from 'zod';
import { dataKeyOf, type DataKey } from '../security/data-seal.js';
import { trustOf } from '../http/addresses.js';

/** 0 or 1. */
export const flag = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1');
/** A port number. */
export const port = z.coerce
  .number('must be a port number')
  .int('must be a port number')
  .min(0, 'must be a port number')
  .max(65_535, 'must be a port number');
/** How many partitions a topic has. */
export const partitions = z.coerce
  .number('must be a count from 1 to 64')
  .int('must be a count from 1 to 64')
  .min(1, 'must be a count from 1 to 64')
  .max(64, 'must be a count from 1 to 64')
  .default(1);
/** Splits a text at its commas. */
export const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
/** Texts with commas between them. */
export const list = z.string().transform(partsOf);
/** Origins as a browser writes them: scheme, name and port, nothing after it. */
export const origins = list.refine(
  (all) => all.every((text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text)),
  'must be origins without a path, such as https://exchange.example',
);
/** Addresses and networks of proxies. */
export const proxies = list.refine((all) => {
  try {
    trustOf(all);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}, 'must be addresses or networks, such as 10.0.0.0/8');
/** An address of one of these schemes, such as `https:`. */
export const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol),
      `must be an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    );
/** A secret of at least 16 characters. */
export const secret = z.string().min(16, 'must have at least 16 characters');
/** Data keys, each as `id:secret`, newest first. */
export const dataKeys = list.transform((all, context): readonly DataKey[] => {
  const keys = all.map(dataKeyOf);
  if (
    keys.every(({ id, secret }) => /^[a-z0-9][a-z0-9-]{0,15}$/.test(id) && secret.length >= 32) &&
    new Set(keys.map(({ id }) => id)).size === keys.length &&
    new Set(keys.map(({ secret }) => secret)).size === keys.length &&
    !keys.some(({ secret }) => secret.includes('replace-me'))
  )
    return keys;
  context.addIssue({
    code: 'custom',
    message:
      'must be id:secret with commas between them, newest first; ids of a-z, 0-9 ' +
      'and dashes, secrets of 32 characters and more',
  });
  return z.NEVER;
});
/** The address of the node of a chain. */
export const node = url('http:', 'https:');
/** A setting that is JSON text; absent: an empty object. `what` says what maps to what. */
export const json = <S extends z.ZodType>(what: string, shape: S) =>
  z
    .string()
    .default('{}')
    .transform((text, context) => {
      const parsed = shape.safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: 'custom', message: `must be JSON of ${what}` });
      return z.NEVER;
    });
/** JSON of service name to base address. */
export const services = z.string().transform((text, context) => {
  const parsed = z.record(z.string(), z.url()).safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: 'must be JSON of service name to base address' });
  return z.NEVER;
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return error;
  }
}
