import { simulate } from './seeds.js';

simulate('second half', 81, 160);
