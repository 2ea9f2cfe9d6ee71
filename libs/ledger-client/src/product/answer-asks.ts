import { Controller, Inject, type Type } from '@nestjs/common';
import type { LedgerReply } from '@bourse/events';
import { Answers, AskUnavailable, serviceAsks, type QuestionOf } from '@bourse/messaging';
import { AnswerStore, Database } from '@bourse/persistence';
import type { ServiceName } from '@bourse/platform';
import { firstReply, replyOf } from '../replies.js';

/** Injection token of a service's database. */
export type DatabaseToken = abstract new (...args: never[]) => Database;

/** Makes a controller that returns the stored answers of a service's commands: `<service>.answers { commandIds }`. */
export function answerAsks(service: ServiceName, database: DatabaseToken): Type {
  @Controller()
  class AnswerAsksController {
    private readonly answers: AnswerStore;

    constructor(@Inject(database) opened: Database) {
      this.answers = new AnswerStore(opened);
    }

    @Answers(serviceAsks.answers(service))
    answersOf({ commandIds }: QuestionOf<typeof serviceAsks.answers>): Promise<LedgerReply | null> {
      return firstReply(commandIds, async (commandId) => {
        const found = await this.answers.find(commandId);
        if (found?.state === 'pending') throw new AskUnavailable(`${commandId} is not decided yet`);
        return found && replyOf(commandId, found.answer);
      });
    }
  }
  return AnswerAsksController;
}
