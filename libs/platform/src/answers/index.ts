export * from './answer-record.js';
export * from './kept-answer.js';
