// Mistakes that the tests of matching must find (docs/proofs/planted-defects.md).
import books from './planted/books.mjs';
import engine from './planted/engine.mjs';
import settlement from './planted/settlement.mjs';

export default [...settlement, ...books, ...engine];
