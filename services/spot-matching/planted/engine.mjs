// Mistakes in what runs the books: batches, loading, what calls are told.
const runtime = 'services/spot-matching/src/application/engine-runtime.ts';
const cancelAnswers = 'services/spot-matching/src/application/cancel-answers.ts';

export default [
  {
    id: 'engine-01',
    fast: true,
    what: 'a cancel is answered before the commit',
    breaks: 'I6',
    file: runtime,
    find: 'depth.handedOver(batch.touched);',
    replace: `depth.handedOver(batch.touched);
    for (const {
      command: { replyTo },
      reply,
    } of batch.answers)
      if (replyTo && reply) this.replies.publish(replyTo, reply);`,
    seeds: 'I6',
  },
  {
    id: 'engine-02',
    what: 'a cancel that the log delivers twice stops its book',
    breaks: 'I9',
    file: cancelAnswers,
    find: 'const answered = [...first.values()];',
    replace: 'const answered = batch.answers;',
    seeds: 'streams read',
  },
  {
    id: 'engine-03',
    what: 'a repeated cancel receives another answer than the first',
    breaks: 'I6',
    file: cancelAnswers,
    find: `if (known) answer.reply = known.reply;
      else first.set(answer.command.commandId, answer);`,
    replace: 'if (!known) first.set(answer.command.commandId, answer);',
    seeds: 'I6',
  },
  {
    id: 'engine-04',
    fast: true,
    what: 'the answer of a cancel is not stored with its effect',
    breaks: 'I6',
    file: cancelAnswers,
    find: '.filter(([rows]) => rows.length > 0)',
    replace: '.filter(() => false)',
    seeds: 'I6',
  },
  {
    id: 'engine-05',
    fast: true,
    what: 'the position moves without the batch',
    breaks: 'I7',
    file: runtime,
    find: `await Promise.all([
            write(tx),
            this.cancels.answer(tx, batch),
            tx.emitRows(rows),
            owned.advance(tx, batch.deliveries),
          ]);`,
    replace:
      'await Promise.all([write(tx), this.cancels.answer(tx, batch), tx.emitRows(rows), owned.advance(tx, [])]);',
    seeds: 'I',
  },
  {
    id: 'engine-06',
    what: 'the messages of the book are sent without its commit',
    breaks: 'I5',
    file: runtime,
    find: `await Promise.all([
            write(tx),
            this.cancels.answer(tx, batch),
            tx.emitRows(rows),
            owned.advance(tx, batch.deliveries),
          ]);`,
    replace: `await this.database.transaction((sent) => sent.emitRows(rows));
        await Promise.all([write(tx), this.cancels.answer(tx, batch), owned.advance(tx, batch.deliveries)]);`,
    seeds: 'I',
  },
  {
    id: 'moves-01',
    what: 'a command for a moved pair is not forwarded',
    breaks: 'I6',
    file: runtime,
    find: 'partition: elsewhere, message: passedOn(command.message) });',
    replace: 'partition: elsewhere, message: passedOn(command.message) });\n      batch.emissions.pop();',
    seeds: 'I',
  },
  {
    id: 'moves-02',
    what: 'a pair moves and its row does not change',
    breaks: 'I7',
    file: 'services/spot-matching/src/application/running-market.ts',
    find: 'partition: moved?.to ?? batch.partition,',
    replace: 'partition: batch.partition,',
    seeds: 'I',
  },
  {
    id: 'answers-06',
    what: 'an answer derived from the row of an order counts as stored by the engine',
    breaks: 'I6',
    file: 'services/spot-matching/src/application/cancel-orders.ts',
    find: 'if (cancel.body.bodyHash !== undefined && reply !== seen) kept();',
    replace: 'kept();',
    test: 'services/spot-matching/src/application/cancel-orders.unit.test.ts',
    name: 'the engine has not decided, and may never be asked',
  },
  {
    id: 'engine-07',
    what: 'an order that has ended is answered before the commit that frees its money',
    breaks: 'SPOT-123',
    file: runtime,
    find: 'if (order.status !== 1 || order.filled > 0) {',
    replace: 'if (order.status > 2) {',
    test: 'services/spot-matching/test/integration/answers-ahead.int.test.ts',
    name: 'never leaves where it frees money',
  },
  {
    id: 'engine-08',
    fast: true,
    what: 'a list does not wait for the commit of what was answered',
    breaks: 'SPOT-121',
    file: 'services/spot-matching/src/application/answered-order-reads.ts',
    find: `await this.progress.waitForCommit(of[0]);
    await this.waitForAccepted(of[0]);
    return`,
    replace: `await this.waitForAccepted(of[0]);
    return`,
    test: 'services/spot-matching/src/application/engine-progress.unit.test.ts',
    name: 'reads no row by list before the commit',
  },
  {
    id: 'engine-09',
    fast: true,
    what: 'a commit discards what was answered after it',
    breaks: 'SPOT-121',
    file: 'services/spot-matching/src/application/engine-progress.ts',
    find: 'if (row <= number) this.answered.delete(userId);',
    replace: 'this.answered.delete(userId);',
    test: 'services/spot-matching/src/application/engine-progress.unit.test.ts',
    name: 'waits for the commit of earlier answers, and ends the pause of the engine',
  },
  {
    id: 'engine-10',
    fast: true,
    what: 'a list does not wait for an order that was answered as accepted',
    breaks: 'SPOT-218',
    file: 'services/spot-matching/src/application/answered-order-reads.ts',
    find: `await this.waitForAccepted(of[0]);
    return`,
    replace: 'return',
    test: 'services/spot-matching/src/application/engine-progress.unit.test.ts',
    name: 'waits until the rows show the order, also when its engine runs in another process',
  },
];
