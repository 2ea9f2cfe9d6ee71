import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { walkPages } from './list-file.js';
import type { Listed } from './list-model.js';

/** Makes a file of all rows of a list: reads page after page, says how far it is, and can be stopped. */
export function useListFile<Row>({
  read,
  rowKey,
  save,
}: {
  read: (page: number, signal: AbortSignal) => Promise<Listed<Row>>;
  rowKey: (row: Row) => string;
  save: (rows: readonly Row[]) => void;
}): { readonly busy: boolean; readonly told: string; readonly start: () => void; readonly stop: () => void } {
  const { t } = useTranslation();
  const [told, setTold] = useState('');
  const running = useRef<AbortController>(undefined);
  const [busy, setBusy] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const walk = async (): Promise<void> => {
    const work = new AbortController();
    running.current = work;
    setBusy(true);
    setTold('');
    try {
      const { rows, total } = await walkPages((page) => read(page, work.signal), rowKey, {
        signal: work.signal,
        onRows: (done, of) => setTold(t('list.csvAt', { done, total: of })),
      });
      save(rows);
      setTold(t(rows.length < total ? 'list.csvCut' : 'list.csvDone', { count: rows.length, total }));
    } catch (failure) {
      if (work.signal.aborted) return setTold('');
      console.warn('the file of a list did not come', failure);
      const reason = failure instanceof Error ? failure.message : t('common.loadFailed');
      setTold(t('list.csvFailed', { reason }));
    } finally {
      if (running.current === work) setBusy(false);
    }
  };
  return { busy, told, start: () => void walk(), stop: () => running.current?.abort() };
}
