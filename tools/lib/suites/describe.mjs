// The table of docs/testing.md, from the definitions of the suites.

/** When a run without options has the suite. */
function timesOf({ core, isOnRequest, isInPipelines, reasonToRunAll }) {
  if (isOnRequest) return `by its name alone${isInPipelines ? '; in the pipelines' : ''}`;
  if (core === undefined) return 'every run; files marked `.full.` in `test:full`';
  const isEmpty = core.source === '^$';
  const others = reasonToRunAll ? 'when its sources change, and in `test:full`' : '`test:full`, or by its name';
  return isEmpty ? others : `every run, its core; all its files ${others}`;
}

/** A table in Markdown: suite, what it proves, when it runs, and its budget in seconds. */
export function describeSuites(suites) {
  const rows = suites.map((suite) => [
    `\`${suite.name}\``,
    suite.proves,
    suite.files ? timesOf(suite) : 'every run',
    `${suite.budgetSeconds} s`,
  ]);
  const head = ['suite', 'what it proves', 'when it runs', 'budget'];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}
