// Mistakes that the tests of this service must find.
import { PLANTED as acceptors } from './planted/acceptors.mjs';
import { PLANTED as appeals } from './planted/appeals.mjs';
import { PLANTED as deals } from './planted/deals.mjs';
import { PLANTED as notices } from './planted/notices.mjs';
import { PLANTED as shops } from './planted/shops.mjs';

export default [...acceptors, ...deals, ...appeals, ...shops, ...notices];
