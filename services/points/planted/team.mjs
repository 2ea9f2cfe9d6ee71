// Mistakes of the team and its rebates that the tests must find. Those without a test must show in the seeds of the
// simulator.
const team = 'services/points/src/team/domain/team.ts';
const rank = 'services/points/src/team/domain/team-rank.ts';
const rebate = 'services/points/src/team/domain/rebate.ts';
const facts = 'services/points/src/team/application/team-facts.ts';
const rebates = 'services/points/src/team/application/rebates.ts';
const payments = 'services/points/src/team/application/rebate-payments.ts';
const fees = 'services/wallet-ledger/src/ledger/application/writer/fees.ts';
const teamTest = 'services/points/src/team/domain/team.unit.test.ts';
const propertyTest = 'services/points/src/team/domain/team.property.test.ts';
const rebateTest = 'services/points/src/team/domain/rebate.unit.test.ts';
const audit = 'services/points/src/shared/persistence/range-audit.ts';
const rebatesTest = 'services/points/test/integration/rebates.int.test.ts';
const feesTest = 'services/wallet-ledger/src/ledger/application/writer/fees.unit.test.ts';

export const PLANTED = [
  {
    id: 'team-01',
    what: 'a certificate that is granted again counts again',
    breaks: 'TEAM-011',
    file: team,
    find: 'if (member.certified) return;',
    replace: '',
    test: propertyTest,
    name: 'the sums are those that are counted',
  },
  {
    id: 'team-02',
    what: 'volume from before a registration is known does not count for its upline',
    breaks: 'TEAM-011',
    file: team,
    find: 'topUp: member.topUp + member.ownTopUp',
    replace: 'topUp: 0n',
    test: teamTest,
    name: 'facts before a registration go up the line with it, and nothing counts twice',
  },
  {
    id: 'team-03',
    what: 'a rank is reached with one direct member too few',
    breaks: 'TEAM-012',
    file: rank,
    find: 'direct >= one.direct &&',
    replace: 'direct >= one.direct - 1 &&',
    test: teamTest,
    name: 'each rank is reached at its figures',
  },
  {
    id: 'team-04',
    what: 'a fraction of a unit is lost when a rebate is paid',
    breaks: 'TEAM-021',
    file: rebate,
    find: 'carry: total - amount * unit',
    replace: 'carry: 0n',
    test: rebateTest,
    name: 'paid and carried amounts equal the owed amount, and no payment is negative',
  },
  {
    id: 'team-05',
    what: 'a late fee counts for a day that is already paid',
    breaks: 'TEAM-022',
    file: rebate,
    find: 'Math.max(dayOf(at), closed + 1)',
    replace: 'dayOf(at)',
    test: rebateTest,
    name: 'a late fee counts to the first day that is not paid',
  },
  {
    id: 'team-06',
    what: 'a rebate counts as a refunded fee',
    breaks: 'TEAM-003',
    file: fees,
    find: 'if (causeType === REBATE_CAUSE) return [];',
    replace: '',
    test: feesTest,
    name: 'fee movements of the house, and rebates, are no fees of people',
  },
  {
    id: 'team-07',
    what: 'a repeated deposit event counts again',
    breaks: 'TEAM-011',
    file: facts,
    find: 'if (fresh.delete(id)) lines.deposit(userId, value);',
    replace: 'lines.deposit(userId, value);',
    seeds: 'I3',
  },
  {
    id: 'team-08',
    what: 'a fee of a person whose upline is not known yet is lost',
    breaks: 'TEAM-023',
    file: rebates,
    find: 'if (unknown.length > 0) await this.store.wait(tx, unknown);',
    replace: '',
    seeds: 'I3',
  },
  {
    id: 'team-09',
    what: 'the remainder of earlier days is lost when the next day is paid',
    breaks: 'TEAM-021',
    file: payments,
    find: 'carry: carries.get(key)?.amount ?? 0n }',
    replace: 'carry: 0n }',
    seeds: 'I3',
  },
  {
    id: 'team-10',
    what: 'a wrong sum of a person is lost when the next batch of people is checked',
    breaks: 'TEAM-025',
    file: audit,
    find: 'this.wrong = audited.wrong.slice(0, WRONG_MAX);',
    replace: 'this.wrong = [];',
    test: rebatesTest,
    name: 'payments of a person are checked in turn, then in each round until they are right',
  },
];
