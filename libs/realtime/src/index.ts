export * from './books.js';
export * from './candles.js';
export * from './decode.js';
export * from './frame.js';
export * from './price-order.js';
export * from './socket.js';
export * from './tickers.js';
export * from './trades.js';
