import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../core/api.js';
import { useSubmission } from '@bourse/web';
import { hasProblems, type Problems } from './problems.js';

export interface Form {
  /** From the first press on the fields show what is wrong with them. */
  readonly shown: (key: string | undefined) => string | undefined;
  readonly busy: boolean;
  /** The refusal in the server's words; kept until the next press. */
  readonly refusal: string | undefined;
  readonly setRefusal: (text: string) => void;
  readonly submit: () => Promise<void>;
}

/**
 * The main button of a plain form: nothing is sent with problems, and a refusal leaves the values as they are. A form
 * that succeeds stays locked, because its page leaves; one that answers `stay` may be sent again.
 */
export const useForm = (
  problems: Problems<string>,
  send: () => Promise<void | 'stay'>,
  onRefused?: (refusal: ApiError) => void,
): Form => useSending(problems, {}, send, onRefused);

/**
 * A form whose call has an intent.
 *
 * @param fields what is sent, without passwords: changed fields are another act
 * @param moving contents that move by themselves: sent again as they were while no answer has come
 */
export const useIntentForm = <F extends object, M = undefined>(
  problems: Problems<string>,
  fields: F,
  send: (fields: F, intent: string, moving: M) => Promise<void | 'stay'>,
  moving?: M,
): Form => useSending(problems, fields, (intent, moved) => send(fields, intent, moved as M), undefined, moving);

function useSending(
  problems: Problems<string>,
  fields: object,
  send: (intent: string, moving: unknown) => Promise<void | 'stay'>,
  onRefused?: (refusal: ApiError) => void,
  moving?: unknown,
): Form {
  const { t } = useTranslation();
  const { busy, refusal, run } = useSubmission();
  const [tried, setTried] = useState(false);
  /** A refusal of something beside the main button, as of the code that was asked for. */
  const [other, setOther] = useState<string>();
  const submit = async (): Promise<void> => {
    setTried(true);
    setOther(undefined);
    if (hasProblems(problems)) return;
    await run(
      async (intent, moved) => {
        try {
          if ((await send(intent, moved)) !== 'stay') return 'leave';
          setTried(false);
          return undefined;
        } catch (failure) {
          if (failure instanceof ApiError) onRefused?.(failure);
          throw failure;
        }
      },
      fields,
      moving,
    );
  };
  return {
    shown: (key) => (tried && key ? t(key) : undefined),
    busy,
    refusal: other ?? refusal,
    setRefusal: setOther,
    submit,
  };
}
