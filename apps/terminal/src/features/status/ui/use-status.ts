import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keys } from '@bourse/api-client';
import { readStatus, hasAnswered, type TimedStatus } from '../api/status.js';
import { withAsked, type Asked } from '../model/status.js';

const EVERY_MS = 5_000;

export interface Watched {
  /** The last known status. */
  readonly told: TimedStatus | undefined;
  /** When, by this device's clock. */
  readonly toldAt: number;
  /** Why the last request gave no status: the exchange could not tell, or it did not answer. */
  readonly failed: 'unable' | 'silent' | undefined;
  readonly asked: readonly Asked[];
}

/** Asks for the state every five seconds while the page is visible, and keeps the outcomes. */
export function useStatus(): Watched {
  const { data, error, dataUpdatedAt, errorUpdatedAt } = useQuery({
    queryKey: [...keys.status, 'page'],
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: EVERY_MS,
    queryFn: readStatus,
  });
  const [asked, setAsked] = useState<readonly Asked[]>([]);
  useEffect(() => {
    if (data) setAsked((all) => withAsked(all, { at: dataUpdatedAt, tookMs: data.tookMs }));
  }, [data, dataUpdatedAt]);
  useEffect(() => {
    if (errorUpdatedAt > 0) setAsked((all) => withAsked(all, { at: errorUpdatedAt }));
  }, [errorUpdatedAt]);
  const failed = error === null ? undefined : hasAnswered(error) ? 'unable' : 'silent';
  return { told: data, toldAt: dataUpdatedAt, failed, asked };
}
