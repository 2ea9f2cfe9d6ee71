// node tools/pictures.mjs <address>: takes the pictures of the home page from a running demo exchange, in both themes.
import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';

const [address] = process.argv.slice(2);
if (!address) {
  console.error('usage: CHROMIUM_PATH=… node tools/pictures.mjs http://localhost:8080');
  process.exit(1);
}
const base = address.replace(/\/$/, '');
const folder = fileURLToPath(new URL('../apps/terminal/public/pictures/', import.meta.url));
/** Sizes of the browser window and of the stored picture; equal to `PICTURE_SIZE` of the terminal. */
const WINDOW = { width: 1280, height: 800 };
const KEPT = { width: 1120, height: 700 };
const QUALITY = 72;
/** The first visit of a chart reads its history; then a market moves for a while. */
const SETTLED_MS = 6_000;

/** Screens by the name of their picture, and the text that each must show before the picture is taken. */
const SCREENS = [
  { name: 'spot', path: '/dealCenter?legalId=3&currencyId=1', shown: 'canvas' },
  { name: 'c2c', path: '/c2cTrade', shown: 'main table tbody tr' },
  { name: 'proof', path: '/solvency', shown: 'main table tbody tr' },
];

/** A session of a demo person. */
async function session() {
  const body = new URLSearchParams({ user_string: 'trader2@demo.bourse', password: 'Harbor-2468' });
  const answer = await (await fetch(`${base}/api/user/login`, { method: 'POST', body })).json();
  if (answer.type !== 'ok') throw new Error(`no session: ${JSON.stringify(answer)}`);
  return { token: answer.message, user_id: String(answer.id) };
}

/** One screen in one theme, as a small picture. */
async function take(browser, stored, { name, path, shown }, theme) {
  const context = await browser.newContext({ viewport: WINDOW, timezoneId: 'UTC', reducedMotion: 'reduce' });
  await context.addInitScript(
    (values) => {
      for (const [key, value] of Object.entries(values)) globalThis.localStorage.setItem(key, value);
    },
    { ...stored, theme },
  );
  const page = await context.newPage();
  await page.goto(`${base}${path}`);
  await page.locator(shown).first().waitFor();
  await page.waitForTimeout(SETTLED_MS);
  const file = `${folder}${name}-${theme}.webp`;
  await sharp(await page.screenshot())
    .resize(KEPT.width, KEPT.height)
    .webp({ quality: QUALITY, effort: 6 })
    .toFile(file);
  await context.close();
  console.log(`${name}-${theme}.webp: ${Math.round((await stat(file)).size / 1_000)} kB`);
}

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH,
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const stored = await session();
  for (const screen of SCREENS) for (const theme of ['dark', 'white']) await take(browser, stored, screen, theme);
} finally {
  await browser.close();
}
