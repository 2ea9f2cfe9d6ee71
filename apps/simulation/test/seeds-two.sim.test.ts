import { simulate } from './seeds.js';

simulate('second half', 501, 1_000);
