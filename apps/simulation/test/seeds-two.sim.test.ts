import { simulate } from './seeds.js';

simulate('second half', 25, 48);
