/** A check of each field that an object may have. */
export type Checks<T> = Readonly<Record<keyof T, (value: unknown) => boolean>>;

/** Text that says something. */
export const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
export const isFlag = (value: unknown): boolean => typeof value === 'boolean';
/** Any other value would be taken for the other side. */
export const isSide = (value: unknown): boolean => value === 'buy' || value === 'sell';

/**
 * Checks fields for programs without types: an unknown field or value is an error, never ignored. `valued` names fields
 * whose absence means more than their presence: they have a value if they are there.
 * @throws TypeError for an unknown field and for an invalid value
 */
export function checkFields<T>(
  what: string,
  given: object,
  checks: Checks<T>,
  valued: readonly (keyof T)[] = [],
): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(checks, name));
  if (unknown.length > 0) throw new TypeError(`${what} takes no ${unknown.join(', ')}`);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined && !valued.includes(name as keyof T)) continue;
    if (!checks[name as keyof T](value)) throw new TypeError(`${what} takes no ${name} of ${String(value)}`);
  }
}
