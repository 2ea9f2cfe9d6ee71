import type { PendingChange } from '@bourse/contract';
import { rowsWith } from '../../parts/list-model.js';

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

/** By owner, in the order of the alphabet; the settings of each stay in theirs. */
export const byOwner = (settings: readonly Setting[]): readonly Setting[] =>
  settings.toSorted((one, other) => one.owner.localeCompare(other.owner));

/** The bounds of a value, as `min 1 · max 10`. */
export function boundsText({ bounds }: Setting): string {
  return Object.entries(bounds)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
}

/** The type of the value, and its bounds where it has some. */
export const kindText = (setting: Setting): string => [setting.type, boundsText(setting)].filter(Boolean).join(' · ');
