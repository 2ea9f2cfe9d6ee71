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
    what: 'a cancel that the log brings twice stops its book',
    breaks: 'I9',
    file: cancelAnswers,
    find: 'const kept = [...first.values()].filter(isKept);',
    replace: 'const kept = batch.answers.filter(isKept);',
    seeds: 'streams read',
  },
  {
    id: 'engine-03',
    what: 'a repeated cancel is told something else than the first',
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
    find: 'if (kept.length === 0) return;',
    replace: 'if (kept.length >= 0) return;',
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
    what: 'what the book sends leaves without its commit',
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
    what: 'a command for a pair that was moved is not passed on',
    breaks: 'I6',
    file: runtime,
    find: 'partition: elsewhere, message: passedOn(command.message) });',
    replace: 'partition: elsewhere, message: passedOn(command.message) });\n      batch.emissions.pop();',
    seeds: 'I',
  },
  {
    id: 'moves-02',
    what: 'a pair is moved and its row is not',
    breaks: 'I7',
    file: 'services/spot-matching/src/application/running-market.ts',
    find: 'partition: moved?.to ?? batch.partition,',
    replace: 'partition: batch.partition,',
    seeds: 'I',
  },
  {
    id: 'answers-06',
    what: 'what the row of an order tells counts as stored by the engine',
    breaks: 'I6',
    file: 'services/spot-matching/src/application/cancel-orders.ts',
    find: 'if (cancel.body.bodyHash !== undefined && reply !== seen) kept();',
    replace: 'kept();',
    test: 'services/spot-matching/src/application/cancel-orders.unit.test.ts',
    name: 'the engine has not decided, and may never be asked',
  },
];
