import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newIntent } from '@bourse/api-client';
import { ApiError } from '../../../core/api.js';

export interface Write {
  readonly busy: boolean;
  /** What was refused, in the server's words; kept until the next press. */
  readonly refusal: string | undefined;
  /**
   * Runs one write: not twice at a time, and under the same intent until it is answered. @returns whether it succeeded
   */
  readonly run: (send: (intent: string) => Promise<void>) => Promise<boolean>;
  readonly clear: () => void;
}

/**
 * One press, one act: the button is locked until the answer; a refusal ends the intent, silence keeps it, so that the
 * next press cannot act twice.
 */
export function useWrite(): Write {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const intent = useRef(newIntent());
  const run = async (send: (intent: string) => Promise<void>): Promise<boolean> => {
    if (busy) return false;
    setBusy(true);
    setRefusal(undefined);
    try {
      await send(intent.current);
      intent.current = newIntent();
      return true;
    } catch (failure) {
      if (failure instanceof ApiError) intent.current = newIntent();
      setRefusal(failure instanceof ApiError ? failure.message : t('common.loadFailed'));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, refusal, run, clear: () => setRefusal(undefined) };
}
