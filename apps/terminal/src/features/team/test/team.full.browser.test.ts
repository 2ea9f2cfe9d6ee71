import { testTimeoutMs } from '@bourse/testing/eventually';
import { expect, fitsWidth, saveScreenshot, screenBarriers, test } from '@bourse/web/testing';
import { BASE, holdSession, demoSession, visit, type Looks } from '../../../../test/browser.js';

const PHONE = { width: 390, height: 844 };

async function person(account: string, path: string, looks: Looks = {}) {
  const visitor = await visit(looks);
  await holdSession(visitor.context, await demoSession(account));
  await visitor.page.goto(`${BASE}${path}`);
  return visitor;
}

test('the team of trader1 opens by mouse and by key, down to trader3, and is searched [TERM-TEAM-010]', async () => {
  const { page, complaints } = await person('trader1@demo.bourse', '/team');
  const tree = page.getByRole('tree', { name: 'Members' });
  const second = tree.getByRole('treeitem').filter({ hasText: '#100002' });
  const third = tree.getByRole('treeitem').filter({ hasText: '#100003' });
  await second.waitFor();
  expect([await second.getAttribute('aria-expanded'), await third.count()]).toEqual(['false', 0]);
  await second.click();
  await third.waitFor();
  expect(await third.getAttribute('aria-level')).toBe('2');
  await page.keyboard.press('ArrowLeft');
  await third.waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await third.waitFor();
  // Names are masked.
  expect(await third.textContent()).not.toContain('trader3@');
  await page.getByText('Requirements for rank 1').waitFor();
  await page.getByRole('img', { name: 'Invitation link as a QR code' }).waitFor();
  await page.getByText(/\/register\?extension_code=/).waitFor();
  expect(await screenBarriers(page)).toEqual([]);
  await saveScreenshot(page, 'team');
  await page.getByLabel('Search').fill('100003');
  await third.waitFor();
  await page.getByLabel('Search').fill('nobody of this name');
  await page.getByText('Nobody of this name or UID').waitFor();
  expect(complaints).toEqual([]);
});

interface Node {
  readonly id: number;
  readonly name: string;
  readonly direct: number;
  readonly children: readonly Node[];
}
/**
 * Ten thousand members as the call answers them: ninety of the first level with ten each, who have ten each, and at the
 * end a chain of ten, whose deepest member is told.
 */
function tenThousand(): { results: readonly Node[]; deepest: number } {
  let id = 200_000;
  const member = (children: readonly Node[] = []): Node => {
    id += 1;
    return { id, name: `memb****${id.toString(36)}@demo.bourse`, direct: children.length, children };
  };
  const ten = (make: () => Node): Node[] => Array.from({ length: 10 }, make);
  const results = Array.from({ length: 90 }, () => member(ten(() => member(ten(() => member())))));
  let chain = member();
  const deepest = chain.id;
  while (id < 210_000) chain = member([chain]);
  return { results: [...results, chain], deepest };
}

test('ten thousand members open, scroll and are searched while few are drawn [TERM-TEAM-013]', async () => {
  const { page, complaints } = await person('trader1@demo.bourse', '/');
  const { results, deepest } = tenThousand();
  // Other tests prove the call's answers with real members [TEAM-013].
  await page.route('**/api/getNode*', (route) =>
    route.fulfill({
      json: {
        type: 'ok',
        message: { show_message: { top_upnumber: '0', real_teamnumber: 10_000, rank: 1, direct: 91 }, results },
      },
    }),
  );
  await page.goto(`${BASE}/team`);
  const tree = page.getByRole('tree', { name: 'Members' });
  const items = tree.getByRole('treeitem');
  await items.first().waitFor();
  await page.getByRole('button', { name: 'Open all' }).click();
  await tree.getByRole('treeitem', { expanded: true }).first().waitFor();
  // One line of 36 px each: all of them are there to be scrolled to.
  expect(await tree.evaluate((box) => box.scrollHeight)).toBe(10_000 * 36);

  /** Jumps through the whole tree, and what each took until the lines of its place were painted. */
  const { most, half, painted } = await tree.evaluate(async (box) => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    const times: number[] = [];
    let [most, painted] = [0, 0];
    for (let jump = 1; jump <= 60; jump += 1) {
      const top = Math.floor((box.scrollHeight / 61) * jump);
      const begun = performance.now();
      box.scrollTop = top;
      await frame();
      await frame();
      times.push(performance.now() - begun);
      const lines = [...box.querySelectorAll<HTMLElement>('[role=treeitem]')];
      most = Math.max(most, lines.length);
      const [from, to] = [top, top + box.clientHeight];
      if (lines.some((line) => line.offsetTop <= from) && lines.some((line) => line.offsetTop + 36 >= to)) painted += 1;
    }
    return { most, painted, half: times.toSorted((a, b) => a - b)[30]! };
  });
  expect(most).toBeLessThanOrEqual(40);
  expect(painted).toBe(60);
  // Two frames of a quiet machine are 33 ms; a tree that is drawn whole takes seconds.
  expect(half).toBeLessThan(200);

  await tree.focus();
  await page.keyboard.press('End');
  const end = tree.getByRole('treeitem').filter({ hasText: `#${deepest}` });
  await end.waitFor();
  expect(await end.getAttribute('aria-level')).toBe('10');
  await page.keyboard.press('Home');
  await end.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Close all' }).click();
  await page.getByLabel('Search').fill(String(deepest));
  await end.waitFor();
  // Its line up to the first level, and nobody else.
  expect(await items.count()).toBe(10);
  await page.getByLabel('Search').fill(`memb****${deepest.toString(36)}`);
  await end.waitFor();
  expect(await items.count()).toBe(10);
  expect(await fitsWidth(page)).toBe(true);
  expect(complaints).toEqual([]);
});

/** A part as the call answers it: at most 1,000 members, level by level, below `of` or of the person. */
function partOf(all: readonly Node[], of: number | undefined): readonly Node[] {
  const everybody: Node[] = [];
  for (const left = [...all]; left.length > 0;) {
    const one = left.pop()!;
    everybody.push(one);
    left.push(...one.children);
  }
  const top = of === undefined ? all : (everybody.find(({ id }) => id === of)?.children ?? []);
  const kept = new Set<number>();
  for (let level = top; level.length > 0 && kept.size < 1_000; level = level.flatMap(({ children }) => children))
    for (const { id } of level) if (kept.size < 1_000) kept.add(id);
  const cut = (nodes: readonly Node[]): Node[] =>
    nodes.filter(({ id }) => kept.has(id)).map((node) => ({ ...node, children: cut(node.children) }));
  return cut(top);
}

test('a search reads the unread parts of a team [TERM-TEAM-006]', async () => {
  const { page, complaints } = await person('trader1@demo.bourse', '/');
  const { results, deepest } = tenThousand();
  let asked = 0;
  await page.route('**/api/getNode*', async (route) => {
    asked += 1;
    const of = new URLSearchParams(route.request().postData() ?? '').get('user_id');
    await route.fulfill({
      json: {
        type: 'ok',
        message: {
          show_message: { top_upnumber: '0', real_teamnumber: 10_000, rank: 1, direct: 91 },
          results: partOf(results, of === null ? undefined : Number(of)),
        },
      },
    });
  });
  await page.goto(`${BASE}/team`);
  const tree = page.getByRole('tree', { name: 'Members' });
  await tree.getByRole('treeitem').first().waitFor();
  expect(asked).toBe(1);
  await page.getByLabel('Search').fill(String(deepest));
  await tree
    .getByRole('treeitem')
    .filter({ hasText: `#${deepest}` })
    .waitFor({ timeout: testTimeoutMs(18_000) });
  // Of those of the first level, each once: not of each member whose people are unread.
  expect(asked).toBeLessThanOrEqual(100);
  await page.getByLabel('Search').fill('nobody of this name');
  await page.getByText('Nobody of this name or UID').waitFor({ timeout: testTimeoutMs(18_000) });
  expect(complaints).toEqual([]);
});

test('a person without a team sees an empty state, on a phone, right to left [TERM-TEAM-011]', async () => {
  const { page } = await person('acceptor@demo.bourse', '/account/tree', {
    ...PHONE,
    theme: 'white',
    locale: 'ar',
  });
  await page.getByText('لا أعضاء بعد').waitFor();
  expect(await screenBarriers(page)).toEqual([]);
  expect(await fitsWidth(page)).toBe(true);
  await saveScreenshot(page, 'team-phone-ar');
});

test('rebates are listed page by page [TERM-TEAM-012]', async () => {
  const { page } = await person('trader1@demo.bourse', '/');
  const row = (id: number) => ({
    id: String(id),
    value: `0.${String(id).padStart(8, '0')}`,
    currency_name: 'USDT',
    info: `Rebate ${id}`,
    created_time: '2026-01-02 00:05:00',
  });
  await page.route('**/api/profits/show_profits?*', async (route) => {
    const at = Number(new URL(route.request().url()).searchParams.get('page'));
    const data = at === 1 ? Array.from({ length: 20 }, (_, index) => row(index + 1)) : [row(21)];
    await route.fulfill({
      json: { type: 'ok', message: { data, page: at, page_size: 20, total: 21, has_more: at === 1 ? 1 : 0 } },
    });
  });
  await page.goto(`${BASE}/account/profit`);
  await page.getByText('0.00000020 USDT').or(page.getByText('0.0000002 USDT')).waitFor();
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByText('Rebate 21').waitFor();
  await page.getByText('No more').waitFor();
  expect(await screenBarriers(page)).toEqual([]);
  await saveScreenshot(page, 'profit');
});

test('without rebates the list is empty, on the real exchange [TERM-TEAM-012]', async () => {
  const { page } = await person('acceptor@demo.bourse', '/profit', { theme: 'white' });
  await page.getByText('No rebates yet.').waitFor();
  expect(await screenBarriers(page)).toEqual([]);
});
