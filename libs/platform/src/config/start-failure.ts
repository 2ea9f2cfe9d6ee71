/**
 * A failed start as it is written to standard error: a line of JSON for who collects the logs of a production process
 * or of a service, `err` having the stack where there is one; for a person at a terminal, and on a demo install in one
 * process, the text as it is [DEPLOY-009].
 */
export function startFailure(
  text: string,
  {
    service,
    env = process.env,
    atTerminal = process.stderr.isTTY,
  }: {
    readonly service?: string | undefined;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly atTerminal?: boolean;
  } = {},
): string {
  const collected = service !== undefined || /^prod/i.test(env['NODE_ENV'] ?? '');
  if (!collected || atTerminal) return text;
  const [sentence = text] = text.split(/\n +at /, 1);
  return JSON.stringify({
    level: 'fatal',
    time: new Date().toISOString(),
    service: service ?? 'exchange',
    msg: sentence,
    ...(sentence === text ? {} : { err: text }),
  });
}
