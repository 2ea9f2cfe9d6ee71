// npm run bench:terminal. What a person feels of the terminal, in Chromium: time to the largest content, shifts of the
// layout, bytes of a first visit, and frames and heap while one market sends 1,450 messages a second.
// Options: --rounds N (5) of each visit, --seconds N (20) of the flood, --url URL of a demo install that runs,
// --shared: others use the machine, which the page then says.
/* global window, localStorage, PerformanceObserver, requestAnimationFrame, cancelAnimationFrame */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { findChromium } from '../../tools/lib/chromium.mjs';
import { row, table } from '../lib/results.mjs';
import { Stand } from '../lib/stand.mjs';
import { option, root } from '../pipeline/inside.mjs';
import { FLOOD, floodProxy } from './flood-proxy.mjs';

const ROUNDS = option('rounds', 5);
const FLOOD_MS = option('seconds', 20) * 1_000;
const VISIT_MS = 5_000;
const PASSWORD = 'Harbor-2468';
const [USDT, BTC] = [3, 1];
const SPOT = `/dealCenter?legalId=${USDT}&currencyId=${BTC}`;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Lighthouse's slow 4G as a browser emulates it, with four times less processor. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 };
const SLOW_CPU = 4;
/** Goals of LCP in seconds by address and machine. */
const LCP_GOALS = [
  { name: 'home', path: '/', desktop: 0.8, slow: 2 },
  { name: 'spot', path: SPOT, desktop: 0.8, slow: 2.5 },
];
const JS_GOALS = { home: 150, spot: 230 };
const SHIFT_MAX = 0.02;
const SCRIPT_MS_MAX = 1.5;
/** Pages whose layout is watched; the second half needs a person. */
const WATCHED = ['/', SPOT, '/leverdealCenter', '/secondsOrder', '/allmarket', '/manage', '/finance', '/c2cTrade'];

const given = process.argv.indexOf('--url');
const stand = given === -1 ? new Stand({ distributed: false, maker: true }) : null;
await stand?.start();
const url = stand?.url ?? process.argv[given + 1];
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function call(token, path, fields) {
  const response = await fetch(`${url}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(fields),
  });
  const body = await response.json();
  if (body.type !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
}

/** A new visitor without a cache, whose page notes shifts and the largest content. */
async function visit({ viewport = DESKTOP, session = null } = {}) {
  const context = await browser.newContext({ viewport, isMobile: viewport === PHONE, hasTouch: viewport === PHONE });
  const page = await context.newPage();
  await page.addInitScript((stored) => {
    for (const [key, value] of Object.entries(stored ?? {})) localStorage.setItem(key, value);
    window.noted = { shift: 0, largest: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.noted.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    new PerformanceObserver((list) => {
      window.noted.largest = list.getEntries().at(-1).startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  }, session);
  return { context, page, devtools: await context.newCDPSession(page) };
}

async function lcpSeconds(path, isSlow) {
  const { context, page, devtools } = await visit();
  if (isSlow) {
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
  }
  await page.goto(`${url}${path}`);
  await page.waitForTimeout(isSlow ? 2 * VISIT_MS : VISIT_MS);
  const { largest } = await page.evaluate(() => window.noted);
  await context.close();
  return largest / 1_000;
}

/** Scripts of a first visit, in kB of gzip level 9 as the budget of the tests counts, and all bytes of the network. */
async function bytesOf(path) {
  const { context, page, devtools } = await visit();
  const scripts = [];
  let wire = 0;
  let requests = 0;
  page.on('response', (response) => {
    if (/\.js$/.test(new URL(response.url()).pathname))
      scripts.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  await devtools.send('Network.enable');
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    wire += encodedDataLength;
    requests += 1;
  });
  await page.goto(`${url}${path}`);
  await page.waitForTimeout(VISIT_MS);
  const sizes = await Promise.all(scripts);
  await context.close();
  return {
    kb: sizes.reduce((sum, bytes) => sum + bytes, 0) / 1_000,
    files: sizes.length,
    wire: wire / 1_000,
    requests,
  };
}

async function shiftOf(path, viewport, session) {
  const { context, page } = await visit({ viewport, session });
  await page.goto(`${url}${path}`);
  await page.waitForTimeout(VISIT_MS);
  const { shift } = await page.evaluate(() => window.noted);
  await context.close();
  return shift;
}

/** Frames and heap of the spot desk of a person with orders, quiet and while its market sends. */
async function floodOf(session, proxy) {
  const { context, page, devtools } = await visit({ session });
  await page.goto(`${proxy.url}${SPOT}`);
  await page.getByRole('form').first().waitFor();
  await page.waitForTimeout(VISIT_MS);
  await devtools.send('Performance.enable');
  const heapMb = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    return (await metrics()).JSHeapUsedSize / 1e6;
  };
  const metrics = async () =>
    Object.fromEntries((await devtools.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]));
  const before = { heap: await heapMb(), ...(await metrics()) };
  await page.evaluate(() => {
    const gaps = [];
    let last = performance.now();
    const step = (now) => {
      gaps.push(now - last);
      last = now;
      window.frameCall = requestAnimationFrame(step);
    };
    window.frameGaps = gaps;
    window.frameCall = requestAnimationFrame(step);
  });
  const begun = performance.now();
  const sent = await proxy.flood(FLOOD_MS);
  const seconds = (performance.now() - begun) / 1_000;
  const after = await metrics();
  const gaps = await page.evaluate(() => {
    cancelAnimationFrame(window.frameCall);
    return window.frameGaps.splice(0);
  });
  const heap = await heapMb();
  const faults = await page.getByText('Reconnecting').count();
  await context.close();
  if (faults > 0) throw new Error('The page lost its market in the flood.');
  const sorted = gaps.toSorted((a, b) => a - b);
  const perFrame = (name) => ((after[name] - before[name]) * 1_000) / gaps.length;
  return {
    rate: sent / seconds,
    framesPerSecond: gaps.length / seconds,
    gapP95: sorted[Math.floor(sorted.length * 0.95)],
    script: perFrame('ScriptDuration'),
    layout: perFrame('LayoutDuration'),
    style: perFrame('RecalcStyleDuration'),
    heap,
    heapGrowth: heap - before.heap,
  };
}

const rows = [];
try {
  const { message: token, id } = await call('', 'user/login', {
    user_string: 'trader1@demo.bourse',
    password: PASSWORD,
  });
  const session = { token, user_id: String(id) };
  const orders = [];
  for (const price of [41_000, 42_000, 43_000])
    orders.push(
      await call(token, 'coin/trade', {
        legal_id: USDT,
        currency_id: BTC,
        type: 1,
        target_price: price,
        amount: 0.001,
      }),
    );

  for (const { name, path, desktop, slow } of LCP_GOALS)
    for (const [where, isSlow, goal] of [
      ['desktop', false, desktop],
      ['slow 4G, a quarter of the processor', true, slow],
    ]) {
      const seconds = [];
      for (let round = 0; round < ROUNDS; round += 1) seconds.push(await lcpSeconds(path, isSlow));
      const note = `${Math.min(...seconds).toFixed(2)} … ${Math.max(...seconds).toFixed(2)}`;
      rows.push(row(`LCP, ${name}, ${where}`, median(seconds), 's', { goal, atMost: true, note }));
      console.log(`${name}, ${where}: ${seconds.map((one) => one.toFixed(2)).join(' ')}`);
    }

  for (const { name, path } of LCP_GOALS) {
    const { kb, files, wire, requests } = await bytesOf(path);
    const note = `${files} files; ${Math.round(wire)} kB in ${requests} requests over the network`;
    rows.push(row(`scripts of a first visit, ${name}`, kb, 'kB', { goal: JS_GOALS[name], atMost: true, note }));
  }

  for (const [where, viewport] of [
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ]) {
    const shifts = [];
    for (const path of WATCHED) shifts.push({ path, shift: await shiftOf(path, viewport, session) });
    const worst = shifts.toSorted((a, b) => b.shift - a.shift)[0];
    const note = `worst of ${WATCHED.length} pages: ${worst.path.split('?')[0]}`;
    rows.push(row(`CLS, ${where}`, worst.shift, '', { goal: SHIFT_MAX, atMost: true, note }));
  }

  const proxy = await floodProxy(url);
  const flood = await floodOf(session, proxy);
  await proxy.end();
  const wanted = FLOOD.depth + FLOOD.trades + FLOOD.tickers;
  rows.push(
    row(`script a frame at ${wanted} messages/s, signed in with orders`, flood.script, 'ms', {
      goal: SCRIPT_MS_MAX,
      atMost: true,
      note:
        `${Math.round(flood.rate)} messages/s were sent; ` +
        `layout ${flood.layout.toFixed(2)} ms, style ${flood.style.toFixed(2)} ms`,
    }),
    row('frames meanwhile', flood.framesPerSecond, '/s', { note: `p95 of their gaps ${flood.gapP95.toFixed(1)} ms` }),
    row('heap after it', flood.heap, 'MB', { note: `${flood.heapGrowth.toFixed(1)} MB more than before` }),
  );
  console.log(table(rows));
  const run = { at: new Date().toISOString(), node: process.version, rounds: ROUNDS, floodMs: FLOOD_MS };
  const shared = process.argv.includes('--shared');
  writeFileSync(
    join(root, 'loadtest', 'terminal', 'last-run.json'),
    `${JSON.stringify({ ...run, shared, rows }, null, 2)}\n`,
  );
  for (const { id: order } of orders) await call(token, 'coin/cancel', { ids: [order] });
} finally {
  await browser.close();
  await stand?.end();
}
