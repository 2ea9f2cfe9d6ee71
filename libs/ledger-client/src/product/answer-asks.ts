import { Controller, Inject, type Type } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { LedgerReply } from '@bourse/events';
import { askedBy, AskUnavailable } from '@bourse/messaging';
import { AnswerStore, Database } from '@bourse/persistence';
import { EDGE_SERVICE, type ServiceName } from '@bourse/platform';
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

    @MessagePattern(`${service}.answers`, askedBy(EDGE_SERVICE))
    answersOf(@Payload() { commandIds }: { commandIds: readonly string[] }): Promise<LedgerReply | null> {
      return firstReply(commandIds, async (commandId) => {
        const found = await this.answers.find(commandId);
        if (found?.state === 'pending') throw new AskUnavailable(`${commandId} is not decided yet`);
        return found && replyOf(commandId, found.answer);
      });
    }
  }
  return AnswerAsksController;
}
