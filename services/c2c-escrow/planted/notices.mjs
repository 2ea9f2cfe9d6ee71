// Planted defects of notices about deals and acceptors.
const notices = 'services/c2c-escrow/src/deals/application/notices.ts';
const test = 'services/c2c-escrow/src/deals/application/notices.unit.test.ts';
const acceptorNotices = 'services/c2c-escrow/src/acceptors/application/notices.ts';
const acceptorTest = 'services/c2c-escrow/src/acceptors/application/notices.unit.test.ts';

export const PLANTED = [
  {
    id: 'told-01',
    what: 'the notice of a payment goes to the buyer instead of the seller',
    breaks: 'NOTICE-032',
    file: notices,
    find: "{ kind: 'dealPaid', recipientsOf: (deal: Deal) => [sellerOf(deal)] }",
    replace: "{ kind: 'dealPaid', recipientsOf: (deal: Deal) => [buyerOf(deal)] }",
    test,
    name: 'paid [NOTICE-032]',
  },
  {
    id: 'told-02',
    what: 'all reminders of a deal share one id, so only the first is delivered',
    breaks: 'NOTICE-032',
    file: notices,
    find: 'id: `deal:${deal.id}:reminder:${minutes}`,',
    replace: 'id: `deal:${deal.id}:reminder`,',
    test,
    name: 'a reminder notifies the buyer alone, each time under another id',
  },
  {
    id: 'told-03',
    what: 'a person gets no notice of a transferred withdrawal',
    breaks: 'NOTICE-033',
    file: acceptorNotices,
    find: "transfer: 'acceptor',",
    replace: "transfer: 'person',",
    test: acceptorTest,
    name: 'transferred [NOTICE-033]',
  },
];
