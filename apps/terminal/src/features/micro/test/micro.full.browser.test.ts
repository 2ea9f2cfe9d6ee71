import { expect, screenBarriers, test } from '@bourse/web/testing';
import { BASE, demoSession, holdSession, visit } from '../../../../test/browser.js';

test.describe('seconds contracts', () => {
  test('a guest sees the offer, and the links to sign in [MICROUI-050]', async () => {
    const { page, complaints } = await visit();
    await page.goto(`${BASE}/secondsOrder`);
    await page.getByRole('radio', { name: '30 seconds +40 %' }).waitFor();
    expect(await page.locator('main').getByRole('link', { name: 'Log in' }).count()).toBeGreaterThan(0);
    expect(await page.getByRole('button', { name: /^Up/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

test.describe('insurance', () => {
  test('is bought with its figures shown, seen in its vault, and cancelled [MICROUI-052]', async () => {
    const { page, context, complaints } = await visit();
    // Of the people of the demo, who have the coin of insurance.
    await holdSession(context, await demoSession('trader2@demo.bourse'));
    await page.goto(`${BASE}/microInsurance`);
    await page.getByRole('button', { name: 'Buy insurance' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Insured amount').fill('1000');
    await dialog.getByText('1,150 HAP').waitFor();
    await dialog.getByRole('button', { name: 'Buy insurance' }).click();
    await dialog.getByText('Please confirm that you understand this').waitFor();
    await dialog.getByLabel('I understand that this cannot be undone').check();
    await dialog.getByLabel('Fund password').fill('fund66');
    await dialog.getByRole('button', { name: 'Buy insurance' }).click();
    await page.getByRole('meter', { name: 'Vault' }).waitFor();
    expect(await page.getByRole('meter', { name: 'Vault' }).getAttribute('aria-valuenow')).toBe('1000');
    expect(await screenBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel policy' }).click();
    await page.getByRole('dialog').getByLabel('Fund password').fill('fund66');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel policy' }).click();
    await page.getByRole('meter', { name: 'Vault' }).waitFor({ state: 'detached' });
    await page.getByText('Cancelled').first().waitFor();
    expect(complaints).toEqual([]);
  });
});
