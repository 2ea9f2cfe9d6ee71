// Mistakes of points that the tests must find.
const account = 'services/points/src/domain/points-account.ts';
const fees = 'services/points/src/domain/points-accrual.ts';
const accrual = 'services/points/src/application/points-accrual.ts';
const http = 'services/points/src/adapters/outside/http-points-program.ts';
const accountTest = 'services/points/src/domain/points-account.unit.test.ts';
const feesTest = 'services/points/src/domain/points-accrual.unit.test.ts';
const accrualTest = 'services/points/test/integration/accrual.int.test.ts';
const httpTest = 'services/points/test/http-points-program.unit.test.ts';

export const PLANTED = [
  {
    id: 'points-01',
    what: 'points may be exchanged on the day on which they were credited',
    breaks: 'POINTS-003',
    file: account,
    find: 'freshDay >= day ? total - fresh : total;',
    replace: 'freshDay >= day ? total : total;',
    test: accountTest,
    name: 'what is credited is free from the next day on',
  },
  {
    id: 'points-02',
    what: 'more points are exchanged than are free',
    breaks: 'POINTS-003',
    file: account,
    find: 'if (points > freePoints(account, day)) return null;',
    replace: 'if (points > account.total) return null;',
    test: accountTest,
    name: 'no more is taken than is free',
  },
  {
    id: 'points-03',
    what: 'a second credit of a day makes the first one free at once',
    breaks: 'POINTS-004',
    file: account,
    find: 'account.freshDay === day ? account.fresh : 0n;',
    replace: 'account.freshDay === day ? 0n : 0n;',
    test: accountTest,
    name: 'over days and their jumps it says what every credit by itself would say',
  },
  {
    id: 'points-04',
    what: 'a fee that is given back the day after keeps its points',
    breaks: 'POINTS-042',
    file: fees,
    find: 'return { points: 0n, owed: value };',
    replace: 'return { points: 0n, owed: 0n };',
    test: feesTest,
    name: 'more given back than paid earns nothing and counts against the next day',
  },
  {
    id: 'points-05',
    what: 'a fee whose fact comes late counts for a day that is booked',
    breaks: 'POINTS-044',
    file: accrual,
    find: 'day: Math.max(dayOf(fee.at), next),',
    replace: 'day: Math.min(dayOf(fee.at), next),',
    test: accrualTest,
    name: 'what comes late counts for the first day that is not booked',
  },
  {
    id: 'points-06',
    what: 'house accounts earn points for the fees that the house pays itself',
    breaks: 'POINTS-040',
    file: accrual,
    find: '.filter(({ payer }) => !HOUSE.has(payer))',
    replace: '.filter(({ payer }) => payer > 0)',
    test: accrualTest,
    name: 'fees of a day are points at 00:05 UTC of the next one',
  },
  {
    id: 'points-07',
    what: 'of many people only the first batch gets points for a day',
    breaks: 'POINTS-046',
    file: accrual,
    find: 'if (open.length === BATCH)',
    replace: 'if (open.length > BATCH)',
    test: accrualTest,
    name: 'more people than one transaction takes are booked, each once',
  },
  {
    id: 'points-08',
    what: 'the third party may call more points free than there are',
    breaks: 'POINTS-051',
    file: http,
    find: 'if (free! > points!)',
    replace: 'if (free! < 0n)',
    test: httpTest,
    name: 'one answer that is more-free is asked for again',
  },
  {
    id: 'points-09',
    what: 'a third party that is down is asked by every call again',
    breaks: 'POINTS-052',
    file: http,
    find: 'breaker: new ConsecutiveBreaker(circuit.failures),',
    replace: 'breaker: new ConsecutiveBreaker(Number.MAX_SAFE_INTEGER),',
    test: httpTest,
    name: 'a third party that fails is left alone after four failures',
  },
];
