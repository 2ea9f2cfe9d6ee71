// Mistakes that the tests of the ledger and the wallet must find (docs/proofs/planted-defects.md).
import ledger from './planted/ledger.mjs';
import payouts from './planted/payouts.mjs';

export default [...ledger, ...payouts];
