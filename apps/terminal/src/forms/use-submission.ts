import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../core/api.js';
import { hasProblems, type Problems } from './problems.js';

export interface Submission {
  /** From the first press on the fields show what is wrong with them. */
  readonly shown: (key: string | undefined) => string | undefined;
  readonly busy: boolean;
  /** What was refused, in the server's words; kept until the next press. */
  readonly refusal: string | undefined;
  readonly setRefusal: (text: string) => void;
  readonly submit: () => Promise<void>;
}

/**
 * One press of a form's main button: nothing is sent with problems or twice, and a refusal leaves the values as they
 * are. A form that succeeds stays locked, because its page leaves; one that answers `stay` may be sent again.
 */
export function useSubmission(
  problems: Problems<string>,
  send: () => Promise<void | 'stay'>,
  onRefused?: (refusal: ApiError) => void,
): Submission {
  const { t } = useTranslation();
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const submit = async (): Promise<void> => {
    setTried(true);
    setRefusal(undefined);
    if (hasProblems(problems) || busy) return;
    setBusy(true);
    try {
      if ((await send()) !== 'stay') return;
      setBusy(false);
      setTried(false);
    } catch (failure) {
      setBusy(false);
      if (failure instanceof ApiError) onRefused?.(failure);
      setRefusal(failure instanceof ApiError ? failure.message : t('common.loadFailed'));
    }
  };
  return { shown: (key) => (tried && key ? t(key) : undefined), busy, refusal, setRefusal, submit };
}
