// The generator's own log: the answers to each of its commands, compared with the exchange.

/**
 * Reads lines `order <name> <outcome> <id>`, `cancel <id> <outcome>`, `transfer <person> <outcome> <id>`, of leverage
 * `position <name> <outcome> <id>` and `close <id> <outcome>`, of seconds contracts `contract <person> <outcome> <id>`,
 * of C2C `ad <person> <outcome> <id>`, `deal <person> <outcome> <id>` and `release <id> <outcome>`.
 * Throws on any other line: a log with holes proves nothing.
 */
export function readNotes(text) {
  const [orders, cancels, positions, closes] = [new Map(), new Map(), new Map(), new Map()];
  const releases = new Map();
  const [transfers, contracts, ads, deals] = [[], [], [], []];
  const named = { order: orders, position: positions };
  const ended = { cancel: cancels, close: closes, release: releases };
  const listed = { transfer: transfers, contract: contracts, ad: ads, deal: deals };
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [kind, name, outcome, written] = line.split(' ');
    const id = written === '-' ? undefined : written;
    if (kind in ended && outcome !== undefined) ended[kind].set(name, outcome);
    else if (kind in named && written !== undefined) {
      if (named[kind].has(name)) throw new Error(`the generator gave the name ${name} twice`);
      named[kind].set(name, { outcome, id });
    } else if (kind in listed && written !== undefined) listed[kind].push({ outcome, id });
    else throw new Error(`not a note: ${line}`);
  }
  return { orders, cancels, transfers, positions, closes, contracts, ads, deals, releases };
}

/** How often each refusal was given. */
export function refusals({ orders, cancels, transfers, positions, closes, contracts, ads, deals, releases }) {
  const counts = {};
  const listed = [...transfers, ...contracts, ...ads, ...deals];
  const told = [...orders.values(), ...positions.values(), ...listed].map(({ outcome }) => outcome);
  for (const outcome of [...told, ...cancels.values(), ...closes.values(), ...releases.values()]) {
    if (outcome.startsWith('refused:'))
      counts[outcome.slice('refused:'.length)] = (counts[outcome.slice('refused:'.length)] ?? 0) + 1;
  }
  return counts;
}

/**
 * Compares the log with what the exchange has: `orders` and `positions` as { name, id, open, reason }, of positions
 * `open` says that it is not closed; `deals` as { id, finished }; the others are ids. Each ok one effect, each refusal
 * none, each cancel that was answered a cancelled order, each close a closed position, each release a finished deal,
 * and no effect without a command. Returns the disagreements as sentences, and how many commands without an answer
 * turned out to have happened.
 */
export function compareNotes(notes, { orders, transfers, positions, contracts, ads, deals }) {
  const placed = compareNamed('order', notes.orders, orders);
  const opened = compareNamed('position', notes.positions, positions);
  const wrong = [...placed.wrong, ...opened.wrong];
  for (const [id, outcome] of notes.cancels) {
    const order = placed.byId.get(id);
    if (outcome === 'ok' && (!order || order.open || order.reason !== 'user'))
      wrong.push(
        `${id} was cancelled and is ` +
          (order ? `${order.open ? 'open' : 'ended'} (${order.reason || 'filled'})` : 'lost'),
      );
  }
  for (const [id, outcome] of notes.closes)
    if (outcome === 'ok' && opened.byId.get(id)?.open !== false)
      wrong.push(`position ${id} was closed and is ${opened.byId.has(id) ? 'open' : 'lost'}`);
  wrong.push(
    ...compareListed('transfer', notes.transfers, transfers),
    ...compareListed('contract', notes.contracts, contracts),
    ...compareListed('ad', notes.ads, ads),
    ...compareListed(
      'deal',
      notes.deals,
      deals.map(({ id }) => id),
    ),
  );
  const finished = new Set(deals.flatMap((deal) => (deal.finished ? [deal.id] : [])));
  for (const [id, outcome] of notes.releases)
    if (outcome === 'ok' && !finished.has(id)) wrong.push(`deal ${id} was released and is not finished`);
  return { wrong, happened: placed.happened + opened.happened };
}

/** Effects that are there now and were not `before`, by their ids. An order that is there twice now is there twice. */
export function since(before, now) {
  const idOf = (one) => (typeof one === 'string' ? one : one.id);
  return Object.fromEntries(
    Object.entries(now).map(([kind, found]) => {
      const known = new Set(before[kind].map(idOf));
      return [kind, found.filter((one) => !known.has(idOf(one)))];
    }),
  );
}

/**
 * Compares objects that clients named: each ok exists under its id, no refused one exists, and none that was never
 * sent.
 */
function compareNamed(kind, noted, found) {
  const wrong = [];
  const byName = new Map();
  const byId = new Map();
  for (const one of found) {
    if (byName.has(one.name)) wrong.push(`${one.name} exists twice: ${byName.get(one.name).id} and ${one.id}`);
    byName.set(one.name, one);
    byId.set(one.id, one);
    if (!noted.has(one.name)) wrong.push(`${kind} ${one.id} (${one.name}) was never sent`);
  }
  let happened = 0;
  for (const [name, { outcome, id }] of noted) {
    const one = byName.get(name);
    if (outcome === 'ok' && one?.id !== id) wrong.push(`${name} was accepted as ${id} and is ${one ? one.id : 'lost'}`);
    else if (outcome.startsWith('refused:') && one)
      wrong.push(`${name} was refused (${outcome}) and exists as ${one.id}`);
    else if (outcome === 'unknown' && one) happened += 1;
  }
  return { wrong, happened, byId };
}

/**
 * Compares objects without a client's name: each accepted id once, and no more others than commands without an answer.
 */
function compareListed(kind, noted, found) {
  const wrong = [];
  const known = new Set(found);
  if (known.size !== found.length) wrong.push(`a ${kind} exists twice`);
  const asked = new Set();
  for (const { outcome, id } of noted) {
    if (outcome !== 'ok') continue;
    asked.add(id);
    if (!known.has(id)) wrong.push(`${kind} ${id} was accepted and is lost`);
  }
  const open = noted.filter(({ outcome }) => outcome === 'unknown').length;
  const extra = found.filter((id) => !asked.has(id)).length;
  if (extra > open) wrong.push(`${extra} ${kind}s were never accepted, only ${open} were left open`);
  return wrong;
}
