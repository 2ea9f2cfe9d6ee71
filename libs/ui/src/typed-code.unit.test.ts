import { expect, test } from '@jest/globals';
import { typedCode } from './typed-code.js';

test.each(['068 799', ' 068799', '068-799', '068\u2011799', 'code: 068 799', '٠٦٨ ٧٩٩', '0687991'])(
  'a code pasted as %j keeps its six digits [CLIENT-202]',
  (pasted) => {
    expect(typedCode(pasted, 6)).toBe('068799');
  },
);
