// Mistakes that the tests of this service must find. Those without a test must show in the seeds of the simulator.
const submit = 'services/lever-risk/src/application/submit.ts';
const close = 'services/lever-risk/src/application/close.ts';
const entrusts = 'services/lever-risk/src/application/entrusts.ts';
const journals = 'services/lever-risk/src/domain/journals.ts';

export default [
  {
    id: 'lever-01',
    what: 'a position that the ledger refuses stays where nobody sees it',
    breaks: 'I3',
    file: submit,
    find: 'await this.store.drop(tx, object);',
    replace: '',
    seeds: 'I',
  },
  {
    id: 'lever-02',
    what: 'a refused position still counts as open for the cover of the house',
    breaks: 'I3',
    file: submit,
    find: 'if (position.openedAt !== null) await this.store.expose(tx, position.quote, -position.notional, null);',
    replace: '',
    seeds: 'I',
  },
  {
    id: 'lever-03',
    what: 'a refusal leaves its account in flight',
    breaks: 'I3',
    file: submit,
    find: `await this.judge.land(tx, position, object);
        return refusal;`,
    replace: 'return refusal;',
    seeds: 'I',
  },
  {
    id: 'lever-04',
    what: 'what was closed still counts as open for the cover of the house',
    breaks: 'I3',
    file: close,
    find: 'await this.store.expose(tx, position.quote, -position.notional, null);',
    replace: '',
    seeds: 'I',
  },
  {
    id: 'lever-05',
    what: 'a booked settlement leaves its account in flight',
    breaks: 'I3',
    file: close,
    find: 'await this.judge.land(tx, account, settlement);',
    replace: '',
    seeds: 'I',
  },
  {
    id: 'lever-06',
    what: 'a touch order opens and does not count for the cover of the house',
    breaks: 'I3',
    file: entrusts,
    find: 'if (!(await this.store.expose(tx, position.quote, position.notional, coverOf(seat, this.settings))))',
    replace: 'if (coverOf(seat, this.settings) < 0n)',
    seeds: 'I',
  },
  {
    id: 'lever-07',
    what: 'a touch order opens and its fee stays in its hold',
    breaks: 'I2',
    file: entrusts,
    find: 'if (position.fee > 0n) await this.fees.begin',
    replace: 'if (position.fee < 0n) await this.fees.begin',
    seeds: 'I',
  },
  {
    id: 'lever-08',
    what: 'a revoked order gives its margin back and keeps its fee',
    breaks: 'I2',
    file: journals,
    find: '.add(margin(position), purse(position), position.caution + position.fee);',
    replace: '.add(margin(position), purse(position), position.caution);',
    seeds: 'I',
  },
  {
    id: 'lever-09',
    what: 'a loss is taken from its owner and the house does not get all of it',
    breaks: 'I1',
    file: journals,
    find: ".add(purse(position), 'h.lever', loss)",
    replace: ".add(purse(position), 'h.lever', loss - 1n)",
    seeds: 'I',
  },
  {
    id: 'lever-10',
    what: 'a gain is paid a unit short',
    breaks: 'I1',
    file: journals,
    find: ".add('h.lever', purse(position), gain)",
    replace: ".add('h.lever', purse(position), gain - 1n)",
    seeds: 'I',
  },
];
