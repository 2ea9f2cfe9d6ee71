import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../core/api.js';
import { hasProblems, type Problems } from '../model/account.js';

export interface Submission {
  /** From the first press on the fields show what is wrong with them. */
  readonly shown: (key: string | undefined) => string | undefined;
  readonly busy: boolean;
  /** What was refused, in the server's words; kept until the next press. */
  readonly refusal: string | undefined;
  readonly setRefusal: (text: string) => void;
  readonly submit: () => Promise<void>;
}

/** One press of a form's main button: nothing is sent with problems or twice, and a refusal leaves the values as they are. A form that succeeds stays locked: its page leaves. */
export function useSubmission(problems: Problems<string>, send: () => Promise<void>, onRefused?: (refusal: ApiError) => void): Submission {
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
      await send();
    } catch (failure) {
      setBusy(false);
      if (failure instanceof ApiError) onRefused?.(failure);
      setRefusal(failure instanceof ApiError ? failure.message : t('common.loadFailed'));
    }
  };
  return { shown: (key) => (tried && key ? t(key) : undefined), busy, refusal, setRefusal, submit };
}
