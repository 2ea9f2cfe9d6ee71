import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@bourse/api-client';
import { Submission, type Run } from './submission.js';

export interface SubmissionHandle {
  readonly busy: boolean;
  /** The refusal in the server's words, or that no answer came; kept until the next press. */
  readonly refusal: string | undefined;
  /** As `Submission.run`. */
  readonly run: Run;
  readonly clear: () => void;
}

/** The one way to submit: a press of a button that changes something. @param silence the text without an answer */
export function useSubmission(silence = 'common.noAnswer'): SubmissionHandle {
  const { t } = useTranslation();
  const [submission] = useState(() => new Submission());
  const { busy, failure } = useSyncExternalStore(submission.subscribe, submission.state);
  const refusal = failure === undefined ? undefined : failure instanceof ApiError ? failure.message : t(silence);
  return { busy, refusal, run: submission.run, clear: submission.clear };
}
