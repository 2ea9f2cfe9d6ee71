/**
 * Formats a failed start for standard error: a line of JSON for the log collection of a production process or of a
 * service, with the stack in `err` where there is one; for a person at a terminal, and on a demo install in one
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
  return processLine('fatal', sentence, service, sentence === text ? {} : { err: text });
}

/** A line of JSON about a process as a whole, of the same shape as what it logs while it runs. */
export const processLine = (
  level: 'info' | 'fatal',
  msg: string,
  service = 'exchange',
  more: Readonly<Record<string, string>> = {},
): string => JSON.stringify({ level, time: new Date().toISOString(), service, msg, ...more });
