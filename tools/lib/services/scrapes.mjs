// The parts of deploy/prometheus that name every service: what is scraped, and the alert on what is not.
import { METRICS_PORT } from './compose.mjs';

/** A series of the case in which one service of many is not scraped. */
const UNWATCHED_CASE = 'savings';

/** prometheus.yml with one target for each service. */
export const prometheusFile = (text, services) =>
  withLines(
    text,
    /^ *- targets: \['[\w-]+:\d+'\]\n *labels: \{ service: [\w-]+ \}\n/gm,
    services.map(
      ({ name, edge, port }) =>
        `      - targets: ['${name}:${edge ? METRICS_PORT : port}']\n        labels: { service: ${name} }\n`,
    ),
  );

/** alerts.yml with `absent` for each service. */
export function alertFile(text, services) {
  const lines = names(services).map((name) => `            absent(up{job="bourse",service="${name}"})`);
  return withLines(text, /^ *absent\(up\{job="bourse",service="[\w-]+"\}\)(?: or)?\n/gm, [`${lines.join(' or\n')}\n`]);
}

/** alerts.test.yml with a series for each service in its first case, and for all but one where one is not scraped. */
export function alertTestFile(text, services) {
  const [first, ...others] = text.split(/^(?= {2}- name: )/m);
  const ups = (values, left) =>
    names(services)
      .filter((name) => name !== left)
      .map((name) => `      - { series: 'up{job="bourse",service="${name}"}', values: '${values}' }\n`);
  const ONE = /^ *- \{ series: 'up\{job="bourse",service="[\w-]+"\}', values: '[^']+' \}\n/gm;
  return [
    first,
    ...others.map((part) => {
      if (part.startsWith("  - name: 'peace'")) return withLines(part, ONE, ups('1x240'));
      if (part.startsWith("  - name: 'BourseUnwatched: one of many'"))
        return withLines(part, ONE, ups('1x60', UNWATCHED_CASE));
      return part;
    }),
  ].join('');
}

const names = (services) => services.map(({ name }) => name).sort();

/** The text with its consecutive lines of a form replaced. Throws where there are none. */
function withLines(text, form, lines) {
  const found = [...text.matchAll(form)];
  const [begin] = found;
  const end = found.at(-1);
  if (!begin || !end) throw new Error(`A generated part is missing: ${form}`);
  return text.slice(0, begin.index) + lines.join('') + text.slice(end.index + end[0].length);
}
