// Mistakes that the tests of this service must find.
import { PLANTED as savings } from './planted/savings.mjs';

export default [...savings];
