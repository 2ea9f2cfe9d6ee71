// usage: node bench.mjs CORE DATA_DIR [warm=2] [runs=3] [lat=1] [verify=1]   -> one JSON line
import fs from 'node:fs';
const [, , name, dir, warmA = '2', runsA = '3', latA = '1', verifyA = '1'] = process.argv;
const { Core } = await import('./' + name + '.mjs');
const meta = JSON.parse(fs.readFileSync(dir + '/expected.json'));
const raw = fs.readFileSync(dir + '/workload.bin');
const n = raw.length >> 4,
  P = meta.prefill,
  ty = new Uint8Array(n),
  sd = new Uint8Array(n),
  id = new Float64Array(n),
  px = new Int32Array(n),
  qt = new Float64Array(n);
for (let i = 0; i < n; i++) {
  const o = i << 4;
  ty[i] = raw[o];
  sd[i] = raw[o + 1];
  id[i] = raw.readUInt32LE(o + 4);
  px[i] = raw.readUInt32LE(o + 8);
  qt[i] = raw.readUInt32LE(o + 12);
}
function replay(c, a, b) {
  for (let i = a; i < b; i++) {
    const t = ty[i];
    if (t === 0) c.limit(id[i], sd[i], px[i], qt[i]);
    else if (t === 1) c.cancel(id[i]);
    else c.market(id[i], sd[i], qt[i]);
  }
}
const runs = [],
  cpus = [];
let cold = 0,
  heap = 0,
  // Heap: bytes allocated over the last run, measured without a collection in between; kept: what of them a collection
  // leaves.
  kept = 0;
for (let r = 0; r < +warmA + +runsA; r++) {
  const c = new Core();
  replay(c, 0, P);
  globalThis.gc?.();
  const h = process.memoryUsage().heapUsed;
  const u = process.cpuUsage(),
    t = process.hrtime.bigint();
  replay(c, P, n);
  const ns = Number(process.hrtime.bigint() - t),
    cu = process.cpuUsage(u);
  heap = process.memoryUsage().heapUsed - h;
  globalThis.gc?.();
  kept = process.memoryUsage().heapUsed - h;
  if (r === 0) cold = ns;
  if (r >= +warmA) {
    runs.push(ns);
    cpus.push((cu.user + cu.system) * 1000);
  }
}
// verification pass with trade hash
let got = null;
const bad = [];
if (verifyA === '1') {
  let hash = 0x811c9dc5;
  const mix = (x) => {
    hash = Math.imul(hash ^ (x >>> 0), 0x01000193) >>> 0;
  };
  const v = new Core();
  let e = 0;
  for (let i = 0; i < n; i++) {
    replay(v, i, i + 1);
    if (v.drain)
      e = v.drain(e, (m, t, p, q) => {
        mix(m);
        mix(t);
        mix(p);
        mix(q);
      });
  }
  got = {
    trades: v.trades,
    tradedQty: v.tradedQty,
    notional: v.notional,
    tradeHash: v.drain ? hash : undefined,
    killedQty: v.killed,
    rejects: v.rejects,
    ...v.depth(),
  };
  for (const k in meta.expected) if (got[k] !== meta.expected[k]) bad.push(`${k}: ${got[k]} != ${meta.expected[k]}`);
}
let lat = null;
if (latA === '1') {
  const c = new Core();
  replay(c, 0, P);
  const L = new Float64Array(n - P);
  const now = performance.now.bind(performance);
  for (let i = P; i < n; i++) {
    const t = now();
    replay(c, i, i + 1);
    L[i - P] = now() - t;
  }
  L.sort();
  const q = (x) => Math.round(L[Math.min(L.length - 1, Math.floor(L.length * x))] * 1e6);
  const Z = new Float64Array(200000);
  for (let i = 0; i < Z.length; i++) {
    const t = now();
    Z[i] = now() - t;
  }
  Z.sort();
  lat = { p50: q(0.5), p99: q(0.99), p999: q(0.999), max: q(1), timer: Math.round(Z[Z.length >> 1] * 1e6) };
}
console.log(
  JSON.stringify({
    name: process.env.LABEL || name,
    node: process.version,
    cps: runs.map((x) => Math.round(((n - P) / x) * 1e9)),
    cpu: cpus.map((x) => Math.round(((n - P) / x) * 1e9)),
    cold: Math.round(((n - P) / cold) * 1e9),
    heapBytesPerCommand: Math.round((heap / (n - P)) * 100) / 100,
    heapKept: kept,
    ok: got !== null && bad.length === 0,
    bad,
    totals: got,
    lat,
    rssMB: Math.round(process.memoryUsage().rss / 1e6),
  }),
);
