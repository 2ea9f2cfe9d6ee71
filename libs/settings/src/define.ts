import type { ValueType } from './value-types.js';

/** A value that operators change while the exchange runs (rules §15). Its owner is the service that registers it. */
export interface Setting<T> {
  readonly key: string;
  readonly type: ValueType<T>;
  /** The value of a fresh install. */
  readonly initial: T;
  /** Its effect, for operators, in one sentence. */
  readonly help: string;
  /** It concerns money or permissions: a change waits for a second admin, and then for an hour (rules §15). */
  readonly guarded: boolean;
}
// A list of settings holds values of several types, and no type covers all of them.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnySetting = Setting<any>;

const KEY = /^[a-z][A-Za-z0-9_.]{0,59}$/;

/**
 * Declares a setting. Each says whether it is guarded: there is no default that could be forgotten [HARD-460]. Throws
 * for a key that is no name, and for a default outside of its own bounds: both are mistakes of the program, and are
 * found when it starts.
 */
export function defineSetting<T>(
  key: string,
  type: ValueType<T>,
  initial: T,
  help: string,
  { guarded }: Pick<Setting<T>, 'guarded'>,
): Setting<T> {
  if (!KEY.test(key)) throw new RangeError(`${key} is no key of a setting`);
  type.read(type.write(initial));
  return { key, type, initial, help, guarded };
}

/** The same setting, with a default that depends on the install. Readers still use the one they were given. */
export function withDefault<T>(setting: Setting<T>, initial: T): Setting<T> {
  return defineSetting(setting.key, setting.type, initial, setting.help, setting);
}
