import { functionalUpdate, type ColumnVisibilityState, type OnChangeFn } from '@tanstack/react-table';
import { useState } from 'react';
import { readSetting, writeSetting } from '../core/stored.js';

/** Which columns of a list the operator wants to see; the browser keeps those that are hidden. */
export function useHiddenColumns(list: string): [ColumnVisibilityState, OnChangeFn<ColumnVisibilityState>] {
  const key = `console.columns.${list}` as const;
  const [visible, setVisible] = useState<ColumnVisibilityState>(() =>
    Object.fromEntries(
      (readSetting(key) ?? '')
        .split(' ')
        .filter(Boolean)
        .map((column) => [column, false]),
    ),
  );
  return [
    visible,
    (change) => {
      const next = functionalUpdate(change, visible);
      writeSetting(
        key,
        Object.keys(next)
          .filter((column) => next[column] === false)
          .join(' '),
      );
      setVisible(next);
    },
  ];
}
