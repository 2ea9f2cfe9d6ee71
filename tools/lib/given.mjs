// Settings that tools take from the shell by themselves, each by its name or out of the file that `<NAME>_FILE` names:
// as the secrets of Docker and Kubernetes lie.

/**
 * DATABASE_LOGINS: JSON of service name to password; undefined: none.
 * @throws Error that repeats nothing of the text, since it holds passwords and a job's log is read by others
 */
export function readLogins(text, services) {
  let read;
  try {
    read = JSON.parse(text ?? '{}');
  } catch {
    read = null;
  }
  const isRecord = read !== null && typeof read === 'object' && !Array.isArray(read);
  if (!isRecord || !Object.values(read).every((password) => typeof password === 'string'))
    throw new Error('DATABASE_LOGINS must be JSON of service name to password.');
  const unknown = Object.keys(read).filter((name) => !services.includes(name));
  if (unknown.length > 0) throw new Error(`DATABASE_LOGINS names ${unknown.join(', ')}, which is no service.`);
  return read;
}

/**
 * The setting; undefined: it is not there.
 * @throws Error for a file that cannot be read, or if both the setting and its file are set
 */
export async function given(name, env = process.env) {
  const { withSecretFiles } = await import('@bourse/platform');
  const own = Object.fromEntries([name, `${name}_FILE`].filter((one) => env[one]).map((one) => [one, env[one]]));
  const { values, problems } = withSecretFiles(own);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return values[name];
}
