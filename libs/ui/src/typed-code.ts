import { latinDigits } from './latin-digits.js';

/** The digits of a code that was typed or pasted, at most `length` of them. */
export const typedCode = (text: string, length: number): string =>
  latinDigits(text).replaceAll(/\D/g, '').slice(0, length);
