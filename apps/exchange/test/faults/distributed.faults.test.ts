import { faultSuite } from './fault-suite.js';

faultSuite('distributed');
