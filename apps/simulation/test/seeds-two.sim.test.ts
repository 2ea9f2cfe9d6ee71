import { simulate } from './seeds.js';

simulate('second half', 1);
