export interface Setting {
  readonly key: string;
  /** The service that reads it. */
  readonly owner: string;
  readonly type: string;
  readonly bounds: Readonly<Record<string, unknown>>;
  readonly value: string;
  readonly default: string;
  readonly help: string;
}

/** The settings in whose key, help or value all words stand. @param changedOnly those that are not at their default */
export function foundIn(settings: readonly Setting[], words: string, changedOnly: boolean): readonly Setting[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter((one) => {
    if (changedOnly && one.value === one.default) return false;
    const text = `${one.key} ${one.owner} ${one.help} ${one.value}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** By owner, in the order of the alphabet; the settings of each stay in theirs. */
export function groupsOf(settings: readonly Setting[]): readonly (readonly [owner: string, Setting[]])[] {
  const groups = new Map<string, Setting[]>();
  for (const one of settings) groups.set(one.owner, [...(groups.get(one.owner) ?? []), one]);
  return [...groups].sort(([one], [other]) => one.localeCompare(other));
}

/** What the value may be, as `min 1 · max 10`. */
export function boundsText({ bounds }: Setting): string {
  return Object.entries(bounds)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
}
