import type { Page } from 'playwright-core';

/** Opens a page of the backoffice at its whole address, and signs in if the browser has no session yet. */
export async function openPage(
  page: Page,
  address: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.goto(address);
  if (!page.url().includes('/sign-in')) return;
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', password);
  await page.click('button.main');
  await page.waitForURL(address);
}
