import { bookSuite } from './book-suite.js';
import { LadderBook } from './ladder-book.js';
import { PlainBook } from './plain-book.js';

bookSuite('the plain book', (orders) => new PlainBook(orders));
bookSuite('the ladder book', (orders) => new LadderBook({ orders, pages: 64 }));
