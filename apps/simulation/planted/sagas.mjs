// Mistakes in the saga: results of the ledger, and what becomes of objects that wait for them.
const sagas = 'libs/ledger-client/src/sagas.ts';
const suite = 'libs/ledger-client/test/sagas.unit.test.ts';

export default [
  {
    id: 'saga-01',
    what: 'a repeated result is applied again',
    breaks: 'I6',
    file: sagas,
    find: 'return row ? [{ row, result }] : [];',
    replace: 'return [{ row: row ?? { name: saga, object, commandId: null, replyTo: null, note: null }, result }];',
    test: suite,
    name: 'a repeated result is applied once',
  },
  {
    id: 'saga-04',
    what: 'a refused move out of a hold is not retried',
    breaks: 'I3',
    file: sagas,
    find: 'if (!posted && handler.isMove) for (const result of results) await this.retries.postpone(tx, result);',
    replace: 'if (!posted && handler.isMove) return;',
    test: suite,
    name: 'that is refused stays under way with an alarm, and is tried until it is booked',
  },
];
