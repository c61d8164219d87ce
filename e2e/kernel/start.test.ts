import { expect, inject, it } from 'vitest';
import { launchBrowser } from '../browser.ts';

it('shows the login page to whoever comes without a session, from any address, without an error', async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    for (const address of ['/', '/userManagement', '/noentry']) {
      await page.goto(`${inject('address')}${address}`);
      await page.waitForURL(/\/login(\?.*)?$/);
      await page
        .getByRole('button', { name: /登\s*录/ })
        .first()
        .waitFor();
    }
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
  }
});
