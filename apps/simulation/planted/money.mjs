// Mistakes in exact amounts.

export default [
  {
    id: 'ledger-22',
    what: 'stored text that is not a number is read as money',
    breaks: 'I2',
    file: 'libs/money/src/decimal.ts',
    find: 'const STORED = /^(-)?(\\d+)(?:\\.(\\d+))?$/;',
    replace: 'const STORED = /^(-)?(\\d*)(?:\\.(\\d+))?/;',
    test: 'libs/money/src/decimal.property.test.ts',
    name: 'stored text that is no decimal stops the work',
  },
  {
    id: 'ledger-23',
    what: 'fees and holds are rounded in the wrong direction',
    breaks: 'I5',
    file: 'libs/money/src/rounding.ts',
    find: "if (rounding === 'up') return away;",
    replace: "if (rounding === 'up') return quotient;",
    test: 'libs/money/src/decimal.property.test.ts',
    name: 'each named rule agrees with decimal.js',
  },
];
