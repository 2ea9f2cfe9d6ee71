import { MessagePattern } from '@nestjs/microservices';
import type { Ask } from '../asks/define.js';
import type { AskExtras } from './patterns.js';

/**
 * Makes a method the handler of an ask. The compiler refuses one that takes another question or gives another answer
 * than the ask declares.
 */
export const Answers =
  <Q, A>({ name, askedBy }: Ask<Q, A>) =>
  <M extends (question: Q) => A | Promise<A>>(
    controller: object,
    key: string | symbol,
    method: TypedPropertyDescriptor<M>,
  ): void =>
    void MessagePattern(name, { askedBy } satisfies AskExtras)(controller, key, method);
