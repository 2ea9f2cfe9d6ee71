// The generator's own log: what it was told about each of its commands, and whether the exchange agrees.

/**
 * Reads lines `order <name> <outcome> <id>`, `cancel <id> <outcome>`, `transfer <person> <outcome> <id>`. Throws on any
 * other line: a log with holes proves nothing.
 */
export function readNotes(text) {
  const orders = new Map();
  const cancels = new Map();
  const transfers = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [kind, name, outcome, id] = line.split(' ');
    if (kind === 'order' && id !== undefined) {
      if (orders.has(name)) throw new Error(`the generator gave the name ${name} twice`);
      orders.set(name, { outcome, id: id === '-' ? undefined : id });
    } else if (kind === 'cancel' && outcome !== undefined) cancels.set(name, outcome);
    else if (kind === 'transfer' && id !== undefined) transfers.push({ outcome, id: id === '-' ? undefined : id });
    else throw new Error(`not a note: ${line}`);
  }
  return { orders, cancels, transfers };
}

/** How often each refusal was given. */
export function refusals({ orders, cancels, transfers }) {
  const counts = {};
  for (const outcome of [
    ...[...orders.values()].map((one) => one.outcome),
    ...cancels.values(),
    ...transfers.map((one) => one.outcome),
  ]) {
    if (outcome.startsWith('refused:'))
      counts[outcome.slice('refused:'.length)] = (counts[outcome.slice('refused:'.length)] ?? 0) + 1;
  }
  return counts;
}

/**
 * Compares the log with what the exchange has: `placed` are its orders as { name, id, open, reason }, `moved` the ids
 * of its transfers. Each ok one effect, each refusal none, each cancel that was answered a cancelled order, and nothing
 * that nobody asked for. Returns the disagreements as sentences and how many open questions turned out to have
 * happened.
 */
export function compareNotes({ orders, cancels, transfers }, placed, moved) {
  const wrong = [];
  const byName = new Map();
  const byId = new Map();
  for (const order of placed) {
    if (byName.has(order.name)) wrong.push(`${order.name} exists twice: ${byName.get(order.name).id} and ${order.id}`);
    byName.set(order.name, order);
    byId.set(order.id, order);
    if (!orders.has(order.name)) wrong.push(`order ${order.id} (${order.name}) was never sent`);
  }
  let happened = 0;
  for (const [name, { outcome, id }] of orders) {
    const order = byName.get(name);
    if (outcome === 'ok' && order?.id !== id)
      wrong.push(`${name} was accepted as ${id} and is ${order ? order.id : 'lost'}`);
    else if (outcome.startsWith('refused:') && order)
      wrong.push(`${name} was refused (${outcome}) and exists as ${order.id}`);
    else if (outcome === 'unknown' && order) happened += 1;
  }
  for (const [id, outcome] of cancels) {
    const order = byId.get(id);
    if (outcome === 'ok' && (!order || order.open || order.reason !== 'user'))
      wrong.push(
        `${id} was cancelled and is ` +
          (order ? `${order.open ? 'open' : 'ended'} (${order.reason || 'filled'})` : 'lost'),
      );
  }
  const known = new Set(moved);
  if (known.size !== moved.length) wrong.push('a transfer exists twice');
  const asked = new Set();
  for (const { outcome, id } of transfers) {
    if (outcome !== 'ok') continue;
    asked.add(id);
    if (!known.has(id)) wrong.push(`transfer ${id} was accepted and is lost`);
  }
  const open = transfers.filter(({ outcome }) => outcome === 'unknown').length;
  const extra = moved.filter((id) => !asked.has(id)).length;
  if (extra > open) wrong.push(`${extra} transfers were never accepted, only ${open} were left open`);
  return { wrong, happened };
}
