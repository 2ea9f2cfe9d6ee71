import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { PATTERN_EXTRAS_METADATA, PATTERN_METADATA } from '@nestjs/microservices/constants.js';
import { defineAsk, defineServiceAsk, shape, type AnswerOf, type QuestionOf } from '../asks/define.js';
import { InProcessAsks } from '../asks/in-process.js';
import { Answers } from './answers.js';

interface Balance {
  readonly currency: number;
  readonly available: string;
}
const balances = defineAsk('wallet-ledger.balances', {
  question: shape<{ readonly userId: number }>(),
  answer: shape<readonly Balance[]>(),
  askedBy: ['auth', 'savings'],
});
const work = defineServiceAsk('work', {
  question: shape<{ readonly day: number }>(),
  answer: shape<{ readonly open: number }>(),
  askedBy: ['gateway'],
});

class Owner {
  @Answers(balances)
  balances({ userId }: QuestionOf<typeof balances>): Promise<Balance[]> {
    return Promise.resolve([{ currency: userId, available: '1' }]);
  }

  @Answers(work('notices'))
  work(): AnswerOf<typeof work> {
    return { open: 0 };
  }

  // @ts-expect-error an answer without a declared field
  @Answers(balances)
  lacksField(): { readonly currency: number }[] {
    return [];
  }

  // @ts-expect-error an answer with a field of another type
  @Answers(work('notices'))
  async answersText(): Promise<{ readonly open: string }> {
    return Promise.resolve({ open: '0' });
  }

  // @ts-expect-error a handler that needs a field which the question does not have
  @Answers(balances)
  needsMore({ lang }: { readonly userId: number; readonly lang: string }): Balance[] {
    return [{ currency: 0, available: lang }];
  }
}

test('a handler is bound to the name and the askers of its ask, and the compiler checks its types [LOG-061]', () => {
  const bound = (method: keyof Owner): unknown[] => [
    Reflect.getMetadata(PATTERN_METADATA, Owner.prototype[method]),
    Reflect.getMetadata(PATTERN_EXTRAS_METADATA, Owner.prototype[method]),
  ];
  expect(bound('balances')).toEqual([['wallet-ledger.balances'], { askedBy: ['auth', 'savings'] }]);
  expect(bound('work')).toEqual([['notices.work'], { askedBy: ['gateway'] }]);
});

test('an asker gets the declared answer, and the compiler refuses another question or field [LOG-061]', async () => {
  const asks = new InProcessAsks();
  asks.handle(balances, ({ userId }) => [{ currency: userId, available: '5' }]);
  asks.handle(work('notices'), ({ day }) => ({ open: day }));
  const [first] = await asks.ask(balances, { userId: 3 });
  expect(first?.available).toBe('5');
  // @ts-expect-error a field that the answer does not have
  expect(first?.held).toBeUndefined();
  // @ts-expect-error a question that the ask does not take
  expect(await asks.ask(balances, { user: 3 })).toEqual([{ available: '5' }]);
  // @ts-expect-error a question with a field of another type
  expect(await asks.ask(work('notices'), { day: '1' })).toEqual({ open: '1' });
});
