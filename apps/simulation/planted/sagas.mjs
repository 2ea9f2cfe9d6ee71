// Mistakes in the saga: results of the ledger, and what becomes of objects that wait for them.
const sagas = 'libs/ledger-client/src/sagas.ts';
const suite = 'libs/ledger-client/test/sagas.unit.test.ts';

export default [
  {
    id: 'saga-01',
    what: 'a result that comes again is applied again',
    breaks: 'I6',
    file: sagas,
    find: 'if (row) await handler.end(tx, row, result);',
    replace:
      'if (row ?? result) await handler.end(tx, row ?? ({ ...result, name: result.saga, ' +
      'commandId: null, replyTo: null, note: null } as SagaRow), result);',
    test: suite,
    name: 'a result that is told twice is applied once',
  },
  {
    id: 'saga-04',
    what: 'a move out of a hold that is refused is forgotten',
    breaks: 'I3',
    file: sagas,
    find: 'if (handler.isMove && !result.posted) return this.retries.postpone(tx, result);',
    replace: 'if (handler.isMove && !result.posted) return;',
    test: suite,
    name: 'that is refused stays under way with an alarm, and is tried until it is booked',
  },
];
