import DataLoader from 'dataloader';

/** Most questions of one statement. */
const BATCH_MAX = 500;

/**
 * Joins questions to one statement: those that arrive while a statement runs go out with the next one. Each call with a
 * key has a question, and a round trip costs more than the lookup.
 */
export function batched<Q, A>(ask: (questions: readonly Q[]) => Promise<readonly A[]>): (question: Q) => Promise<A> {
  let underWay = Promise.resolve();
  const loader = new DataLoader<Q, A>(
    (questions) => {
      const answered = ask(questions);
      underWay = answered.then(
        () => undefined,
        () => undefined,
      );
      return answered;
    },
    {
      cache: false,
      maxBatchSize: BATCH_MAX,
      batchScheduleFn: (run) => {
        void underWay.then(run);
      },
    },
  );
  return (question) => loader.load(question);
}
