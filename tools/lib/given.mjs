// Settings that tools take from the shell by themselves, each by its name or out of the file that `<NAME>_FILE` names:
// as the secrets of Docker and Kubernetes lie.

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
