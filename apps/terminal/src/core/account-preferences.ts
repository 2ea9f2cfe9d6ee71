import { newIntent } from '@bourse/api-client';
import { FAVOURITES_MAX, type Preferences } from '@bourse/contract';
import { showTimesInUtc } from '@bourse/ui';
import { useAppearance } from '../prefs/appearance.js';
import { TIME_ZONE } from '../prefs/time-zone.js';
import { applyKept, onKeptChange } from '../prefs/use-kept.js';
import { api } from './api.js';
import { chimeKey } from './notifications/chime.js';
import { useSession } from './session.js';

type Name = keyof Preferences;
interface KeptChoice {
  readonly name: Name;
  /** The value of the account for a value of the browser. */
  readonly stored: (kept: unknown) => Preferences[Name];
  readonly kept: (stored: Preferences[Name]) => unknown;
  /** Many changes follow each other, as while a panel is resized: only the first and the last one are stored. */
  readonly isGradual?: true;
  /** The value of the browser where the account has made no choice; absent: it keeps its own. */
  readonly otherwise?: unknown;
}

const keepSwitch = (name: Name): KeptChoice => ({
  name,
  stored: (on) => (on ? 1 : 0),
  kept: (on) => on === 1,
});
/**
 * The browser keeps whether a question is skipped, the account whether it is asked. A question that one person skips is
 * asked of the next person on the same browser.
 */
const keepQuestion = (name: Name): KeptChoice => ({
  name,
  stored: (skipped) => (skipped ? 0 : 1),
  kept: (on) => on === 0,
  otherwise: false,
});

const keepLayout = (name: 'spot_layout' | 'lever_layout'): KeptChoice => ({
  name,
  // An earlier version kept an object: it is stored as a text when the layout changes.
  stored: (layout) => (typeof layout === 'string' ? layout : undefined),
  kept: (layout) => layout,
  isGradual: true,
});

/** Choices by the key under which the browser keeps them. */
const CHOICES: Readonly<Record<string, KeptChoice>> = {
  [TIME_ZONE]: { name: 'time_zone', stored: (zone) => zone as Preferences['time_zone'], kept: (zone) => zone },
  [chimeKey]: keepSwitch('sound'),
  'keys.single': keepSwitch('keys'),
  favourites: {
    name: 'favourites',
    stored: (pairs) => (pairs as readonly string[]).slice(0, FAVOURITES_MAX),
    kept: (pairs) => pairs,
  },
  'ticket.skipConfirm': keepQuestion('ask_order'),
  'lever.skipConfirm': keepQuestion('ask_position'),
  'lever.skipClose': keepQuestion('ask_close'),
  'spot.layout': keepLayout('spot_layout'),
  'lever.layout': keepLayout('lever_layout'),
};
/** Time without a further change after which the last of several gradual changes is stored. */
const GRADUAL_MS = 400;

let isFollowing = false;
/** Choices of this browser since the sign-in: a profile that was read earlier does not undo them. */
let chosenHere: Preferences = {};
/** Choices that are not sent yet. */
let unsent: Preferences = {};
/** Choices whose storing the server has not confirmed: those that are not sent, and those on their way. */
let unconfirmed: Preferences = {};
let isSending = false;
/** Runs while gradual changes follow each other. */
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Keeps the preferences of the account and of this browser equal while a person is signed in: those of the account
 * replace the browser's when the profile is read, and a change here is stored with the account. Where the account has
 * no choice, the browser keeps its own, and asks all questions. Further calls have no effect.
 */
export function followPreferences(): void {
  if (isFollowing) return;
  isFollowing = true;
  useSession.subscribe(({ token, info }, before) => {
    if (token !== before.token) {
      [chosenHere, unsent] = [{}, {}];
      keepUnconfirmed({});
    }
    if (info !== before.info) applyPreferences();
  });
  // The page was left before the server confirmed them, and the profile may still be without them.
  const left = readUnconfirmed();
  [chosenHere, unsent, unconfirmed] = [left, left, left];
  void sendUnsent();
  applyPreferences();
  useAppearance.subscribe(({ theme, palette }, before) =>
    storePreferences({ ...(theme !== before.theme && { theme }), ...(palette !== before.palette && { palette }) }),
  );
  onKeptChange((key, value) => {
    const choice = CHOICES[key];
    if (choice) storePreferences({ [choice.name]: choice.stored(value) }, choice.isGradual);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) sendBeforeLeaving();
  });
  window.addEventListener('pagehide', sendBeforeLeaving);
}

/** The choices of the account as far as they are known here. */
const accountPreferences = (): Preferences => ({ ...useSession.getState().info?.preferences, ...chosenHere });

function applyPreferences(): void {
  const isRead = useSession.getState().info !== undefined;
  const preferences = accountPreferences();
  const { theme, palette, time_zone: zone } = preferences;
  const look = useAppearance.getState();
  if (theme && theme !== look.theme) look.setTheme(theme);
  if (palette && palette !== look.palette) look.setPalette(palette);
  if (zone) showTimesInUtc(zone === 'utc');
  for (const [key, { name, kept, otherwise }] of Object.entries(CHOICES)) {
    if (preferences[name] !== undefined) applyKept(key, kept(preferences[name]));
    else if (isRead && otherwise !== undefined) applyKept(key, otherwise);
  }
}

/**
 * Stores the given choices that differ from the account's. The first of several gradual changes is sent at once: a
 * browser under load may end a page without the events in which the rest would be sent.
 */
function storePreferences(chosen: Preferences, isGradual = false): void {
  if (useSession.getState().token === null) return;
  const known = accountPreferences();
  const changed: Preferences = Object.fromEntries(
    Object.entries(chosen).filter(([name, value]) => String(known[name as Name]) !== String(value)),
  );
  if (Object.keys(changed).length === 0) return;
  chosenHere = { ...chosenHere, ...changed };
  unsent = { ...unsent, ...changed };
  keepUnconfirmed({ ...unconfirmed, ...changed });
  const isFirst = timer === undefined;
  if (isGradual) waitForRest();
  if (!isGradual || isFirst) void sendUnsent();
}

function waitForRest(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = undefined;
    void sendUnsent();
  }, GRADUAL_MS);
}

/** Sends what is not sent yet, one call at a time, so that an older choice never arrives after a newer one. */
async function sendUnsent(): Promise<void> {
  if (isSending) return;
  isSending = true;
  do {
    const chosen = unsent;
    unsent = {};
    if (Object.keys(chosen).length > 0) await send(chosen);
  } while (Object.keys(unsent).length > 0 && timer === undefined);
  isSending = false;
}

/** Sends all that the server has not confirmed. */
function sendBeforeLeaving(): void {
  clearTimeout(timer);
  timer = undefined;
  // A page that stays sends them once more behind the call that is under way, whose repeat may arrive later.
  unsent = isSending ? { ...unconfirmed } : {};
  if (Object.keys(unconfirmed).length > 0) void send(unconfirmed);
}

async function send(chosen: Preferences): Promise<void> {
  const { token } = useSession.getState();
  const { favourites, ...others } = chosen;
  const fields = { ...others, ...(favourites && { favourites: JSON.stringify(favourites) }) };
  try {
    // A call with an intent is repeated while the line is away; leaving the page does not end one that is kept alive.
    await api.post('/api/set/preferences', fields, { quiet: true, intent: newIntent(), keepalive: true });
  } catch (error) {
    console.warn('preferences not stored on the server', error);
    return;
  }
  if (useSession.getState().token !== token) return;
  const isConfirmed = ([name, value]: [string, unknown]): boolean => String(chosen[name as Name]) === String(value);
  keepUnconfirmed(Object.fromEntries(Object.entries(unconfirmed).filter((entry) => !isConfirmed(entry))));
}

/** Kept for this tab alone, so that it outlives a reload. */
const UNCONFIRMED = 'preferences.unconfirmed';
/** Older unconfirmed choices are dropped: the server has most likely stored them, and another browser newer ones. */
const UNCONFIRMED_MS_MAX = 60_000;
interface KeptUnconfirmed {
  readonly userId: string | null;
  /** Time of the last change, ms, by the clock of this browser. */
  readonly at: number;
  readonly chosen: Preferences;
}

function keepUnconfirmed(chosen: Preferences): void {
  unconfirmed = chosen;
  const { userId } = useSession.getState();
  try {
    if (Object.keys(chosen).length === 0) sessionStorage.removeItem(UNCONFIRMED);
    else
      sessionStorage.setItem(UNCONFIRMED, JSON.stringify({ userId, at: Date.now(), chosen } satisfies KeptUnconfirmed));
  } catch (error) {
    // A browser may refuse storage: the choices are then kept for the visit.
    if (!(error instanceof DOMException)) throw error;
  }
}

function readUnconfirmed(): Preferences {
  const { token, userId: current } = useSession.getState();
  try {
    const kept = sessionStorage.getItem(UNCONFIRMED);
    if (kept === null || token === null) return {};
    const { userId, at, chosen } = JSON.parse(kept) as KeptUnconfirmed;
    return userId === current && Date.now() - at < UNCONFIRMED_MS_MAX ? chosen : {};
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof SyntaxError)) throw error;
    return {};
  }
}
