import { useEffect, useState, useSyncExternalStore } from 'react';
import type { QuotationItem } from '@bourse/contract';
import { readKept, writeKept } from '../../../../prefs/kept.js';
import { readDay } from '../../api/practice-day.js';
import { practiceTermsOf } from '../../model/practice/practice-market.js';
import { readRecord, type PracticeRecord } from '../../model/practice/practice-record.js';
import { PracticeSession, type PracticeView } from '../../model/practice/practice-session.js';

const KEY = 'practice';
/** How often the replay moves, and how often its place is kept while it runs. */
const TICK_MS = 100;
const SAVE_MS = 5_000;

const keep = (record: PracticeRecord | null): void => {
  writeKept(KEY, record).catch((error: unknown) => console.warn('practice not kept', error));
};

/** The practice stored in this browser: undefined until it is read, null without one. */
export function useKeptPractice(): [PracticeRecord | null | undefined, (record: PracticeRecord | null) => void] {
  const [record, setRecord] = useState<PracticeRecord | null | undefined>();
  useEffect(() => {
    readKept(KEY).then(
      (kept) => setRecord(readRecord(kept) ?? null),
      (error: unknown) => {
        console.warn('practice not read', error);
        setRecord(null);
      },
    );
  }, []);
  const change = (next: PracticeRecord | null): void => {
    keep(next);
    setRecord(next);
  };
  return [record, change];
}

/** A practice that begins at the start of a day. */
export const newRecord = (pair: QuotationItem, day: number, start: string): PracticeRecord => ({
  version: 1,
  terms: practiceTermsOf(pair),
  day,
  start,
  at: day,
  speed: 15,
  ended: false,
  commands: [],
});

export interface LoadedPractice {
  readonly session: PracticeSession | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
  /** Trades that are read so far. */
  readonly read: number;
}

/** Reads the day of a record and repeats what was done in it. */
export function usePracticeSession(record: PracticeRecord, pair: QuotationItem): LoadedPractice {
  const [session, setSession] = useState<PracticeSession>();
  const [failed, setFailed] = useState(false);
  const [read, setRead] = useState(0);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setSession(undefined);
    setFailed(false);
    readDay(pair, record.day, abort.signal, setRead).then(
      ({ day, minutes }) => {
        if (!abort.signal.aborted) setSession(new PracticeSession(record, day, minutes, keep));
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        console.warn('day not read', error);
        setFailed(true);
      },
    );
    return () => abort.abort();
    // The record is the one it began with: the session keeps what follows.
  }, [record, pair.symbol, turn]);
  return { session, failed, retry: () => setTurn((was) => was + 1), read };
}

/** The state of a practice; time passes while it is shown. */
export function usePracticeView(session: PracticeSession): PracticeView {
  useEffect(() => {
    let before = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      session.pass(now - before);
      before = now;
    }, TICK_MS);
    const save = (): void => session.save();
    const saving = setInterval(() => {
      if (session.snapshot().clock.isRunning) save();
    }, SAVE_MS);
    window.addEventListener('pagehide', save);
    return () => {
      clearInterval(timer);
      clearInterval(saving);
      window.removeEventListener('pagehide', save);
      if (!session.snapshot().ended) save();
    };
  }, [session]);
  return useSyncExternalStore(session.subscribe, session.snapshot);
}
