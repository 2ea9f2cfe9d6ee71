import { Notice, Refused, Reply } from '../http/refused.js';
import type { FinalAnswer } from './answer-record.js';

/** An answer as the tables `answers` keep it. Rows of earlier versions have this shape too. */
interface Kept {
  readonly kind: 'notice' | 'reply' | 'refused';
  readonly key?: string;
  readonly params?: Refused['params'];
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly message?: unknown;
  readonly options?: Refused['options'];
}

/** The text under which an answer is kept. */
export function keptText(answer: FinalAnswer): string {
  return JSON.stringify(kept(answer));
}

/** Restores the answer from its stored text. */
export function answerFromText(text: string): FinalAnswer {
  const { kind, key = 'common.defect', params, extra, message, options } = JSON.parse(text) as Kept;
  switch (kind) {
    case 'refused':
      return new Refused(key, params, options);
    case 'notice':
      return new Notice(key, extra, params);
    case 'reply':
      return new Reply(message, extra);
  }
}

function kept(answer: FinalAnswer): Kept {
  if (answer instanceof Refused)
    return { kind: 'refused', key: answer.key, params: answer.params, options: answer.options };
  if (answer instanceof Notice) return { kind: 'notice', key: answer.key, extra: answer.extra, params: answer.params };
  return { kind: 'reply', message: answer.message, extra: answer.extra };
}
