// Mistakes that the tests of this service must find.
import { PLANTED as complaints } from './planted/complaints.mjs';
import { PLANTED as news } from './planted/news.mjs';
import { PLANTED as notices } from './planted/notices.mjs';

export default [...news, ...complaints, ...notices];
