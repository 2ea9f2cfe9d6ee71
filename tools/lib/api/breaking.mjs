// Finds the changes that break a program written for another version of the interface.
import { commonKeys, operationsOf } from './documents.mjs';

/** @typedef {(path: string) => object} Resolve */

/**
 * Breaking changes between two OpenAPI documents, a sentence each: calls and fields that are gone, fields that became
 * needed or narrower, answers that lost a field, changed its type or have more values than a program knows, refusals
 * that do not come any more, calls that require more rights or are no longer idempotent.
 */
export function breakingOpenApi(before, now) {
  const later = new Map(operationsOf(now).map(([method, path, operation]) => [`${method} ${path}`, operation]));
  const common = commonKeys(now);
  const ofCalls = operationsOf(before).flatMap(([method, path, old]) => {
    const name = `${method.toUpperCase()} ${path}`;
    const operation = later.get(`${method} ${path}`);
    if (!operation) return [`${name} is gone`];
    const told = comparer(before, now);
    return [
      ...rights(name, old['x-call'] ?? {}, operation['x-call'] ?? {}),
      ...goneKeys(name, old['x-refusals'], [...(operation['x-refusals'] ?? []), ...common]),
      ...told.sent(name, fieldsOf(old, before), fieldsOf(operation, now)),
      ...answers(name, old, operation, told),
    ];
  });
  return [...goneKeys('any call', commonKeys(before), common), ...ofCalls];
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
const ROLES = ['support', 'finance', 'admin'];
function rights(name, old, now) {
  const found = [];
  if (old.auth !== undefined && now.auth !== old.auth && (old.auth !== 'points' || now.auth !== 'user'))
    if (now.auth !== 'public') found.push(`${name} is for ${now.auth} callers now, and was for ${old.auth}`);
  if (ROLES.indexOf(now.role) > ROLES.indexOf(old.role)) found.push(`${name} needs the role ${now.role} now`);
  if (KEY_RIGHTS.indexOf(now.api_key ?? 'none') < KEY_RIGHTS.indexOf(old.api_key ?? 'none'))
    found.push(`${name} needs more of an API key: ${old.api_key} before, ${now.api_key} now`);
  for (const gate of now.gates ?? [])
    if (!(old.gates ?? []).includes(gate)) found.push(`${name} stands behind the gate ${gate} now`);
  if (old.money && !now.money) found.push(`${name} is not carried out once under an Idempotency-Key any more`);
  if (old.while_frozen && now.while_frozen === false) found.push(`${name} is closed to frozen accounts now`);
  return found;
}

/** Keys of refusals that are not answered any more: programs wait for them. */
const goneKeys = (name, old, now) =>
  (old ?? []).filter((key) => !(now ?? []).includes(key)).map((key) => `${name} does not refuse with ${key} any more`);

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

/**
 * Returns a schema with its references resolved: `$ref` and `allOf` joined, a `const` as its one value, `or null` as
 * `nullable`.
 */
function resolved(document, schema) {
  if (schema?.$ref) {
    const found = schema.$ref
      .split('/')
      .slice(1)
      .reduce((part, step) => part?.[step], document);
    return resolved(document, found ?? {});
  }
  const { allOf = [], const: only, ...own } = schema ?? {};
  const joined = [...allOf.map((part) => resolved(document, part)), own].reduce((all, part) => ({
    ...all,
    ...part,
    ...(all.properties || part.properties ? { properties: { ...all.properties, ...part.properties } } : {}),
    ...(all.required || part.required ? { required: [...(all.required ?? []), ...(part.required ?? [])] } : {}),
  }));
  if (only !== undefined) joined.enum = [only];
  const shapes = joined.oneOf ?? joined.anyOf;
  const values = shapes?.filter(({ type }) => type !== 'null') ?? [];
  if (!shapes || values.length === shapes.length) return joined;
  const rest = { ...joined };
  delete rest.oneOf;
  delete rest.anyOf;
  if (values.length === 1) return { ...rest, ...resolved(document, values[0]), nullable: true };
  return { ...rest, oneOf: values, nullable: true };
}

function comparer(before, now) {
  /** Pairs under comparison: schemas may contain themselves. */
  const open = new Set();
  const compare = (where, old, later, each) => {
    const pair = `${named(old)} ${named(later)}`;
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
      if (a.nullable && !b.nullable) found.push(`${where} may not be null any more`);
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
      if (isOpen(a) && b.additionalProperties === false) found.push(`${where} takes no other fields now`);
      if (isTable(a) && isTable(b)) found.push(...sent(`${where}{}`, a.additionalProperties, b.additionalProperties));
      if (a.items && b.items) found.push(...sent(`${where}[]`, a.items, b.items));
      return [...found, ...choices(where, a, b, sent, true)];
    });
  const received = (where, old, later) =>
    compare(where, old, later, (a, b) => {
      const found = [...typeChange(where, a, b), ...wider(where, a, b)];
      if (b.nullable && !a.nullable) found.push(`${where} may be null now`);
      for (const [field, part] of Object.entries(a.properties ?? {})) {
        const place = `${where}: ${field}`;
        if (b.properties?.[field] === undefined) found.push(`${where}: field ${field} is not answered any more`);
        else {
          if ((a.required ?? []).includes(field) && !(b.required ?? []).includes(field))
            found.push(`${place} may be missing now`);
          found.push(...received(place, part, b.properties[field]));
        }
      }
      if (isTable(a))
        found.push(
          ...(isTable(b)
            ? received(`${where}{}`, a.additionalProperties, b.additionalProperties)
            : [`${where} is no table of values by name any more`]),
        );
      if (a.items && b.items) found.push(...received(`${where}[]`, a.items, b.items));
      return [...found, ...choices(where, a, b, received, false)];
    });
  return { sent, received };
}

/** Returns the reference of a schema, alone or inside `nullable`; '' if it has none. */
const named = (schema) => schema?.$ref ?? schema?.allOf?.[0]?.$ref ?? '';

/** Whether undeclared fields are accepted; they are by default. */
const isOpen = ({ type, additionalProperties }) => type === 'object' && additionalProperties !== false;
/** Whether it holds values by any name. */
const isTable = ({ additionalProperties }) =>
  typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0;

const choicesOf = (schema) => schema.oneOf ?? schema.anyOf;
/** Compares alternatives in their order: sent values must still be accepted, answered values must still be known. */
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

/** Reports values of an answer that no program knew before. */
function wider(where, a, b) {
  if (a.enum === undefined) return [];
  if (b.enum === undefined) return [`${where} may be more than ${a.enum.join(', ')} now`];
  const fresh = b.enum.filter((value) => !a.enum.includes(value));
  return fresh.length > 0 ? [`${where} may be ${fresh.join(', ')} now`] : [];
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
  tighter('minItems', (is, was) => is > was, 'has at least so many entries:');
  tighter('maxItems', (is, was) => is < was, 'has at most so many entries:');
  tighter('pattern', (is, was) => is !== was, 'has the pattern');
  return found;
}
