// A mistake that the tests of this service must find.
export default [
  {
    id: 'template-01',
    what: 'a box closes a moment after its time instead of at it',
    breaks: 'TEMPLATE-001',
    file: 'examples/service-template/src/domain/box.ts',
    find: 'closesAt !== null && closesAt <= now',
    replace: 'closesAt !== null && closesAt < now',
    test: 'examples/service-template/src/domain/box.unit.test.ts',
    name: 'a box closes when its time has come, and only while it is open',
  },
];
