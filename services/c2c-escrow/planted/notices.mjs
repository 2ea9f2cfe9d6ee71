// Mistakes of what people are told of deals, appeals and acceptors that the tests must find.
const notices = 'services/c2c-escrow/src/deals/application/notices.ts';
const test = 'services/c2c-escrow/src/deals/application/notices.unit.test.ts';
const acceptorNotices = 'services/c2c-escrow/src/acceptors/application/notices.ts';
const acceptorTest = 'services/c2c-escrow/src/acceptors/application/notices.unit.test.ts';

export const PLANTED = [
  {
    id: 'told-01',
    what: 'that a deal is marked as paid is told to the buyer, who has marked it, and not to the seller',
    breaks: 'NOTICE-032',
    file: notices,
    find: "{ kind: 'dealPaid', recipientsOf: (deal: Deal) => [sellerOf(deal)] }",
    replace: "{ kind: 'dealPaid', recipientsOf: (deal: Deal) => [buyerOf(deal)] }",
    test,
    name: 'paid [NOTICE-032]',
  },
  {
    id: 'told-02',
    what: 'of the reminders of one deal only the first is told: all have one name',
    breaks: 'NOTICE-032',
    file: notices,
    find: 'id: `deal:${deal.id}:reminder:${minutes}`,',
    replace: 'id: `deal:${deal.id}:reminder`,',
    test,
    name: 'a reminder notifies the buyer alone, each time under another id',
  },
  {
    id: 'told-03',
    what: 'a person whose withdrawal the acceptor has transferred is not told to look for the money',
    breaks: 'NOTICE-033',
    file: acceptorNotices,
    find: "transfer: 'acceptor',",
    replace: "transfer: 'person',",
    test: acceptorTest,
    name: 'transferred [NOTICE-033]',
  },
];
