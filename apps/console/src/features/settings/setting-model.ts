import type { PendingChange } from '@bourse/contract';
import { grouped } from '@bourse/ui';
import { rowsWith } from '../../parts/list-model.js';
import { unitOf } from './setting-units.js';

export interface Setting {
  readonly key: string;
  /** The service that reads it. */
  readonly owner: string;
  readonly type: string;
  readonly bounds: Readonly<Record<string, unknown>>;
  readonly value: string;
  readonly default: string;
  readonly help: string;
  /** 1: a change waits for a second admin, and then for an hour. */
  readonly guarded: 0 | 1;
  readonly pending: PendingChange<string> | null;
}

/** The settings whose key, help or value contains all words. @param changedOnly those that are not at their default */
export function foundIn(settings: readonly Setting[], words: string, changedOnly: boolean): readonly Setting[] {
  const chosen = settings.filter((one) => !changedOnly || one.value !== one.default);
  return rowsWith(chosen, words, ({ key, owner, help, value }) => `${key} ${owner} ${help} ${value}`);
}

/** Sorts settings by owner, alphabetically; the settings of one owner keep their order. */
export const byOwner = (settings: readonly Setting[]): readonly Setting[] =>
  settings.toSorted((one, other) => one.owner.localeCompare(other.owner));

/** The translation of a key. */
type Words = (key: string, values: Record<string, unknown>) => string;

/** A value as operators read it: on and off in words, numbers grouped and with their unit. */
export function valueText(t: Words, { key, type }: Pick<Setting, 'key' | 'type'>, value: string): string {
  if (value === '') return t('setting.emptyValue', {});
  if (type === 'flag') return t(value === '1' ? 'setting.on' : 'setting.off', {});
  if (type !== 'integer' && type !== 'decimal' && type !== 'list') return value;
  const numbers = value.split(' ').map(grouped);
  const found = unitOf(key);
  if (!found) return numbers.join(', ');
  if ('coin' in found) return `${numbers.join(', ')} ${found.coin}`;
  if (found.unit === 'times') return numbers.map((number) => `${number}×`).join(', ');
  return t(`setting.unit.${found.unit}`, { value: numbers.join(', ') });
}

/** The bounds of a value in words, such as `1 h to 240 h`; empty if there are none beyond what the form shows. */
export function boundsText(t: Words, setting: Setting): string {
  const { min, max, choices } = setting.bounds as {
    min?: string | number;
    max?: string | number;
    choices?: readonly string[];
  };
  if (choices !== undefined) return choices.map((choice) => valueText(t, setting, choice)).join(', ');
  const isNumber = setting.type === 'integer' || setting.type === 'decimal';
  if (isNumber && min !== undefined && max !== undefined)
    return t('setting.between', {
      min: valueText(t, setting, String(min)),
      max: valueText(t, setting, String(max)),
    });
  if (setting.type === 'list') return t('setting.entries', { min, max });
  return max === undefined ? '' : t('setting.longest', { max });
}

/** The values that a form offers; undefined if the value is typed. */
export const choicesOf = ({ bounds }: Setting): readonly string[] | undefined =>
  (bounds as { choices?: readonly string[] }).choices;
