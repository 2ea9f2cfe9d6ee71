// Mistakes that the tests of this service must find.
const boxes = 'examples/service-template/src/application/boxes.ts';

export default [
  {
    id: 'template-01',
    what: 'a box closes one instant after its time instead of at it',
    breaks: 'TEMPLATE-001',
    file: 'examples/service-template/src/domain/box.ts',
    find: 'closesAt !== null && closesAt <= now',
    replace: 'closesAt !== null && closesAt < now',
    test: 'examples/service-template/src/domain/box.unit.test.ts',
    name: 'a box closes when its time has come, and only while it is open',
  },
  {
    id: 'template-02',
    what: 'a box that the ledger refuses is still counted',
    breaks: 'I3',
    file: boxes,
    find: 'await this.store.giveBack(tx, userId);',
    replace: 'void userId;',
    seeds: 'I3',
  },
  {
    id: 'template-03',
    what: 'a box that its owner takes back keeps its hold',
    breaks: 'I3',
    file: boxes,
    find: 'object: id, command: returnOf(box), answer',
    replace: 'object: id, command: { ...returnOf(box), journals: [] }, answer',
    seeds: 'I3',
  },
];
