// What a program that was written for one version of the interface would trip over in another.
import { operationsOf } from './documents.mjs';

/** @typedef {(path: string) => object} Resolve */

/**
 * Breaking changes between two OpenAPI documents, a sentence each: calls and fields that are gone, fields that became
 * needed or narrower, answers that lost a field or changed its type, calls that ask for more rights.
 */
export function breakingOpenApi(before, now) {
  const later = new Map(operationsOf(now).map(([method, path, operation]) => [`${method} ${path}`, operation]));
  return operationsOf(before).flatMap(([method, path, old]) => {
    const name = `${method.toUpperCase()} ${path}`;
    const operation = later.get(`${method} ${path}`);
    if (!operation) return [`${name} is gone`];
    const told = comparer(before, now);
    return [
      ...rights(name, old['x-call'] ?? {}, operation['x-call'] ?? {}),
      ...told.sent(name, fieldsOf(old, before), fieldsOf(operation, now)),
      ...answers(name, old, operation, told),
    ];
  });
}

/** Breaking changes between two AsyncAPI documents: messages that are gone, fields as in calls. */
export function breakingAsyncApi(before, now) {
  const told = comparer(before, now);
  return Object.entries(before.channels.socket.messages).flatMap(([name, { payload }]) => {
    const message = now.channels.socket.messages[name];
    if (!message) return [`message ${name} is gone`];
    const fromClient = before.operations[name]?.action === 'receive';
    return fromClient
      ? told.sent(`message ${name}`, payload, message.payload)
      : told.received(`message ${name}`, payload, message.payload);
  });
}

const KEY_RIGHTS = ['none', 'trade', 'read'];
function rights(name, old, now) {
  const found = [];
  if (old.auth === 'public' && now.auth !== 'public') found.push(`${name} needs a signed-in caller now`);
  if (KEY_RIGHTS.indexOf(now.api_key ?? 'none') < KEY_RIGHTS.indexOf(old.api_key ?? 'none'))
    found.push(`${name} needs more of an API key: ${old.api_key} before, ${now.api_key} now`);
  return found;
}

/** Query and body of a call as one schema of an object. */
function fieldsOf({ parameters = [], requestBody }, document) {
  const content = requestBody?.content ?? {};
  const schema = resolved(document, (content['application/json'] ?? Object.values(content)[0])?.schema ?? {});
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(parameters.map((one) => [one.name, one.schema ?? {}])),
      ...schema.properties,
    },
    required: [...parameters.filter((one) => one.required).map((one) => one.name), ...(schema.required ?? [])],
  };
}

function answers(name, old, now, told) {
  const contents = ({ responses }) => responses?.['200']?.content ?? {};
  return Object.entries(contents(old)).flatMap(([type, { schema }]) => {
    const later = contents(now)[type];
    if (!later) return [`${name} does not answer ${type} any more`];
    return told.received(name, schema ?? {}, later.schema ?? {});
  });
}

const resolved = (document, schema) => {
  if (!schema?.$ref) return schema ?? {};
  const found = schema.$ref
    .split('/')
    .slice(1)
    .reduce((part, step) => part?.[step], document);
  return found ?? {};
};

function comparer(before, now) {
  /** Pairs under comparison: schemas may contain themselves. */
  const open = new Set();
  const compare = (where, old, later, each) => {
    const pair = `${old?.$ref ?? ''} ${later?.$ref ?? ''}`;
    if (pair !== ' ' && open.has(pair)) return [];
    open.add(pair);
    try {
      return each(resolved(before, old), resolved(now, later));
    } finally {
      open.delete(pair);
    }
  };
  const sent = (where, old, later) =>
    compare(where, old, later, (a, b) => {
      const found = [...typeChange(where, a, b), ...narrower(where, a, b)];
      for (const [field, part] of Object.entries(a.properties ?? {}))
        found.push(
          ...(b.properties?.[field] === undefined
            ? b.properties === undefined && b.additionalProperties
              ? []
              : [`${where}: field ${field} is not read any more`]
            : sent(`${where}: ${field}`, part, b.properties[field])),
        );
      for (const field of b.required ?? [])
        if (!(a.required ?? []).includes(field)) found.push(`${where}: field ${field} is needed now`);
      if (a.items && b.items) found.push(...sent(`${where}[]`, a.items, b.items));
      return [...found, ...choices(where, a, b, sent, true)];
    });
  const received = (where, old, later) =>
    compare(where, old, later, (a, b) => {
      const found = typeChange(where, a, b);
      if (b.nullable && !a.nullable) found.push(`${where} may be null now`);
      for (const [field, part] of Object.entries(a.properties ?? {})) {
        const place = `${where}: ${field}`;
        if (b.properties?.[field] === undefined) found.push(`${where}: field ${field} is not answered any more`);
        else if ((a.required ?? []).includes(field) && !(b.required ?? []).includes(field))
          found.push(`${place} may be missing now`);
        else found.push(...received(place, part, b.properties[field]));
      }
      if (a.items && b.items) found.push(...received(`${where}[]`, a.items, b.items));
      return [...found, ...choices(where, a, b, received, false)];
    });
  return { sent, received };
}

const choicesOf = (schema) => schema.oneOf ?? schema.anyOf;
/** Alternatives are compared in their order: what is sent must still be taken, what is answered must still be known. */
function choices(where, a, b, compare, isSent) {
  const [old, later] = [choicesOf(a), choicesOf(b)];
  if (!old && !later) return [];
  if (!old || !later) return [`${where} has another shape`];
  const fewer = isSent ? later.length < old.length : later.length > old.length;
  return [
    ...(fewer ? [`${where} has ${isSent ? 'fewer' : 'more'} shapes than before`] : []),
    ...old.flatMap((one, at) => (later[at] === undefined ? [] : compare(where, one, later[at]))),
  ];
}

function typeChange(where, a, b) {
  if (a.type === undefined || a.type === b.type) return [];
  return [`${where} was ${a.type} and is ${b.type ?? 'anything'}`];
}

function narrower(where, a, b) {
  const found = [];
  const gone = (a.enum ?? []).filter((value) => b.enum !== undefined && !b.enum.includes(value));
  if (gone.length > 0) found.push(`${where} does not take ${gone.join(', ')} any more`);
  if (a.enum === undefined && b.enum !== undefined) found.push(`${where} takes only ${b.enum.join(', ')} now`);
  const tighter = (word, isTighter, text) => {
    if (b[word] !== undefined && (a[word] === undefined || isTighter(b[word], a[word])))
      found.push(`${where} ${text} ${b[word]} now`);
  };
  tighter('minimum', (is, was) => is > was, 'is at least');
  tighter('maximum', (is, was) => is < was, 'is at most');
  tighter('minLength', (is, was) => is > was, 'has at least a length of');
  tighter('maxLength', (is, was) => is < was, 'has at most a length of');
  tighter('pattern', (is, was) => is !== was, 'has the pattern');
  return found;
}
