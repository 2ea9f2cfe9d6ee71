import type { Params, RefusalType } from '@bourse/contract';
import { refusalType } from '../http/answers.js';
import { Notice, Refused, Reply } from '../http/refused.js';

/** A final answer as one service sends it to another: text is made from `key` in the caller's language. */
export interface AnswerRecord {
  readonly type: 'ok' | 'error' | 'not' | '996' | '997' | '555' | '998';
  readonly key?: string | undefined;
  readonly params?: Params | undefined;
  readonly field?: string | undefined;
  /** Content of `message` where it is not a translated notice. */
  readonly message?: unknown;
  /** Fields beside `message`, such as `id` and `order`. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}
/** The answer to a call that has been decided. */
export type FinalAnswer = Notice | Reply | Refused;

/** Converts an answer to a record. A request to sign in or to wait is no final answer: it is recorded as an `error`. */
export function recordOf(answer: FinalAnswer): AnswerRecord {
  if (answer instanceof Refused) {
    const { field, extra } = answer.options;
    return {
      type: finalType(refusalType(answer)),
      key: answer.key,
      params: answer.params,
      ...(field === undefined ? {} : { field }),
      ...(extra === undefined ? {} : { extra }),
    };
  }
  if (answer instanceof Notice) return { type: 'ok', key: answer.key, params: answer.params, extra: answer.extra };
  return { type: 'ok', message: answer.message, extra: answer.extra };
}

/** Converts a record to its answer. A refusal is a value here; `given` throws it. */
export function answerOf({ type, key, params = {}, field, message, extra }: AnswerRecord): FinalAnswer {
  if (type !== 'ok')
    return new Refused(key ?? 'common.defect', params, {
      type,
      ...(field === undefined ? {} : { field }),
      ...(extra === undefined ? {} : { extra }),
    });
  return key === undefined ? new Reply(message, extra) : new Notice(key, extra, params);
}

/** Returns the answer of an accepting record. @throws Refused when it is a refusal. */
export function given(record: AnswerRecord): Notice | Reply {
  const answer = answerOf(record);
  if (answer instanceof Refused) throw answer;
  return answer;
}

/** Returns the notice of a record. @throws Refused when it is a refusal; Error when it is a plain reply. */
export function givenNotice(record: AnswerRecord): Notice {
  const answer = given(record);
  if (answer instanceof Notice) return answer;
  throw new Error('invariant: the answer of this call is a notice or a refusal');
}

const finalType = (type: RefusalType): AnswerRecord['type'] => (type === 'pending' || type === '999' ? 'error' : type);
