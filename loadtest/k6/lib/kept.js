// The calls and answers of this virtual user, kept until the reconciliation. Under the harness nothing is kept: there
// the notes are lines of a log.
import { UNDER_HARNESS } from './settings.js';

/**
 * `outcome` is `unknown` until an answer has come: a turn that is cut off leaves an open question.
 * @typedef {{ person: number, outcome: string, id?: string }} Note
 */

/** Number of rate-limited orders that each virtual user still checks. */
const TURNED_AWAY_KEPT = 10;
let turnedAway = 0;

/** @type {Map<string, Note>} orders by their name */
export const orders = new Map();
/** @type {Map<string, Note>} cancels by the id of the order */
export const cancels = new Map();
/** @type {Note[]} deals that were released */
export const releases = [];
/** @type {Map<string, Note>} leverage positions by their name */
export const positions = new Map();
/** @type {Map<string, Note>} closes by the id of the position */
export const closes = new Map();
/**
 * Things that the exchange shows in a list of their owner, by their kind.
 * @typedef {'transfer' | 'contract' | 'term' | 'withdrawal'} Kind
 * @type {Record<Kind, Note[]>}
 */
export const listed = { transfer: [], contract: [], term: [], withdrawal: [] };

/**
 * @param {Map<string, Note>} notes
 * @returns {(person: number, name: string) => Note}
 */
const into = (notes) => (person, name) => {
  const note = { person, outcome: 'unknown' };
  if (!UNDER_HARNESS) notes.set(name, note);
  return note;
};

export const keep = {
  order: into(orders),
  cancel: into(cancels),
  /**
   * Notes a rate-limited order: it had no effect, and of thousands of them a few are checked.
   * @param {string} name
   */
  turnedAway: (name) => void ((turnedAway += 1) > TURNED_AWAY_KEPT && orders.delete(name)),
  /** @param {Note} note */
  release: (note) => void (UNDER_HARNESS || releases.push(note)),
  position: into(positions),
  close: into(closes),
  /**
   * @param {Kind} kind
   * @param {Note} note
   */
  listed: (kind, note) => void (UNDER_HARNESS || listed[kind].push(note)),
};
