import { useCallback, useEffect, useState } from 'react';
import { readKept, writeKept } from './kept.js';

/**
 * A preference that outlives logout, with a default until it is read. Where the browser keeps nothing, it lasts for the
 * visit.
 */
export function useKept<T>(key: string, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState(initial);
  useEffect(() => {
    let gone = false;
    readKept<T>(key).then((kept) => {
      if (!gone && kept !== undefined) setValue(kept);
    }, report);
    return () => {
      gone = true;
    };
  }, [key]);
  const change = useCallback(
    (next: T) => {
      setValue(next);
      writeKept(key, next).catch(report);
    },
    [key],
  );
  return [value, change];
}

const report = (error: unknown): void => console.warn('preference not kept', error);
