import { useState } from 'react';
import { readSetting, writeSetting } from '../core/stored.js';

/** The columns of a list that the operator does not want to see; the browser keeps them. */
export function useHiddenColumns(list: string): [ReadonlySet<string>, (column: string) => void] {
  const key = `console.columns.${list}` as const;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(
    () => new Set((readSetting(key) ?? '').split(' ').filter(Boolean)),
  );
  const toggle = (column: string): void => {
    const next = new Set(hidden);
    if (!next.delete(column)) next.add(column);
    writeSetting(key, [...next].join(' '));
    setHidden(next);
  };
  return [hidden, toggle];
}
