import { hasHiddenCharacters, LANGUAGES } from '@bourse/contract';
import { formatTrimmed, parseAmount, toUnits, type Units } from '@bourse/money';

/** A text that is no value of its type. The message is for the log; the caller gets the field and its bounds. */
export class WrongValue extends Error {}

/** How the values of a setting, or of a column of a catalog, are written, read and bounded. */
export interface ValueType<T> {
  readonly name: 'flag' | 'integer' | 'decimal' | 'text' | 'texts' | 'choice' | 'list';
  /** The values that may be written, for operators: `{ min, max }`, `{ scale }`, `{ choices }`. */
  readonly bounds: Readonly<Record<string, unknown>>;
  /** Throws `WrongValue`. */
  read(text: string): T;
  /** The one text from which `read` returns this value. */
  write(value: T): string;
  /** The nearest text within the bounds; undefined where the text has none. */
  nearest?(text: string): string | undefined;
}

/** 0 or 1. `only` allows one of them: a flag that this install must not switch. */
export function flag({ only }: { readonly only?: boolean } = {}): ValueType<boolean> {
  return {
    name: 'flag',
    bounds: only === undefined ? { choices: ['0', '1'] } : { choices: [only ? '1' : '0'] },
    read(text) {
      if (text !== '0' && text !== '1') throw new WrongValue(`${text} is neither 0 nor 1`);
      const value = text === '1';
      if (only !== undefined && value !== only) throw new WrongValue(`this install only allows ${only ? 1 : 0}`);
      return value;
    },
    write: (value) => (value ? '1' : '0'),
  };
}

/** A whole number without sign. */
export function integer({ min = 0, max }: { readonly min?: number; readonly max: number }): ValueType<number> {
  return {
    name: 'integer',
    bounds: { min, max },
    read(text) {
      const value = /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= min && value <= max)) throw new WrongValue(`${text} is no whole number from ${min} to ${max}`);
      return value;
    },
    write: (value) => String(value),
    nearest: (text) => (/^\d{1,15}$/.test(text) ? String(Math.min(max, Math.max(min, Number(text)))) : undefined),
  };
}

/** An exact decimal without sign; its value is in units of `scale`. Bounds are decimal texts. */
export function decimal({
  scale,
  min = '0',
  max,
}: {
  readonly scale: number;
  readonly min?: string;
  readonly max: string;
}): ValueType<Units> {
  const [from, to] = [toUnits(min, scale), toUnits(max, scale)];
  return {
    name: 'decimal',
    bounds: { scale, min, max },
    read(text) {
      const parsed = parseAmount(text, scale);
      if (!parsed.ok) throw new WrongValue(`${text} is no decimal with at most ${scale} decimals`);
      if (parsed.units < from || parsed.units > to) throw new WrongValue(`${text} is not between ${min} and ${max}`);
      return parsed.units;
    },
    write: (value) => formatTrimmed(value, scale),
    nearest(text) {
      const parsed = parseAmount(text, scale);
      if (!parsed.ok) return undefined;
      return formatTrimmed(parsed.units < from ? from : parsed.units > to ? to : parsed.units, scale);
    },
  };
}

/** A text on one line, or with `lines` on several; empty where `min` is 0. */
export function text({
  min = 0,
  max,
  pattern,
  lines = false,
}: {
  readonly min?: number;
  readonly max: number;
  readonly pattern?: RegExp;
  readonly lines?: boolean;
}): ValueType<string> {
  return {
    name: 'text',
    bounds: { min, max, ...(pattern ? { pattern: pattern.source } : {}) },
    read(given) {
      const length = [...given].length;
      if (length < min || length > max) throw new WrongValue(`the text has ${length} characters, not ${min} to ${max}`);
      if (hasControls(given, lines)) throw new WrongValue('the text holds control characters');
      // A single line is a name or an address that people read.
      if (!lines && hasHiddenCharacters(given)) throw new WrongValue('the text holds hidden characters');
      if (pattern && given !== '' && !pattern.test(given))
        throw new WrongValue('the text is not of the form asked for');
      return given;
    },
    write: (value) => value,
  };
}

export type Texts = Readonly<Partial<Record<(typeof LANGUAGES)[number], string>>>;

/**
 * A text in several of the languages of the exchange, written as a flat JSON object by language; a language that is
 * left out has none of its own.
 */
export function texts({ max }: { readonly max: number }): ValueType<Texts> {
  const one = text({ min: 1, max, lines: true });
  return {
    name: 'texts',
    bounds: { max, languages: [...LANGUAGES] },
    read(given) {
      if (given === '') return {};
      const entries = Object.entries(objectOf(given));
      const unknown = entries.find(([language]) => !(LANGUAGES as readonly string[]).includes(language));
      if (unknown) throw new WrongValue(`${unknown[0]} is no language of the exchange`);
      return Object.fromEntries(
        entries
          .map(([language, value]): [string, string] => {
            if (typeof value !== 'string') throw new WrongValue(`the text in ${language} is no text`);
            return [language, value === '' ? '' : one.read(value)];
          })
          .filter(([, value]) => value !== '')
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    },
    write: (value) => (Object.keys(value).length === 0 ? '' : JSON.stringify(value)),
  };
}

/** One of a fixed list of words. */
export function choice<const W extends string>(choices: readonly W[]): ValueType<W> {
  return {
    name: 'choice',
    bounds: { choices },
    read(given) {
      if (!(choices as readonly string[]).includes(given))
        throw new WrongValue(`${given} is none of ${choices.join(', ')}`);
      return given as W;
    },
    write: (value) => value,
  };
}

/** Several values of one type, with one space between them: `5 10 20`. */
export function list<T>(
  of: ValueType<T>,
  { min = 0, max }: { readonly min?: number; readonly max: number },
): ValueType<readonly T[]> {
  return {
    name: 'list',
    bounds: { min, max, of: { type: of.name, ...of.bounds } },
    read(given) {
      const values = given === '' ? [] : given.split(' ').map((item) => of.read(item));
      if (values.length < min || values.length > max)
        throw new WrongValue(`the list has ${values.length} values, not ${min} to ${max}`);
      return values;
    },
    write: (values) => values.map((value) => of.write(value)).join(' '),
  };
}

function hasControls(given: string, lines: boolean): boolean {
  return [...given].some((character) => {
    const code = character.codePointAt(0) ?? 0;
    return (code < 32 && !(lines && character === '\n')) || code === 127;
  });
}

function objectOf(given: string): object {
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    throw new WrongValue('the text is no JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WrongValue('the text is no JSON object');
  return value;
}
