import { jest } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing';
import { describeGrowth } from './growth-suite.js';

jest.setTimeout(testTimeoutMs(24_000));

describeGrowth(50_000);
