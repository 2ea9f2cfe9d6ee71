// Sessions that an operator has opened by `bourse login`, kept in a file that only they may read: a code of an
// authenticator counts once, so one sign-in has to do for several commands.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The file of the sessions: BOURSE_SESSIONS, else one below XDG_STATE_HOME. */
export const sessionsFile = () =>
  process.env.BOURSE_SESSIONS ||
  join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'bourse', 'operator-sessions.json');

function readSessions() {
  try {
    return JSON.parse(readFileSync(sessionsFile(), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The token of the session at an exchange; undefined: there is none. */
export const sessionAt = (base) => readSessions()[base];

/** Keeps the token of a session; undefined forgets it. The file is moved into place: no reader sees half of it. */
export function keepSession(base, token) {
  const file = sessionsFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, JSON.stringify({ ...readSessions(), [base]: token }), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
