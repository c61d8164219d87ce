import type { Locator, Page } from 'playwright-core';

/** What journeys do again and again on lists, forms and dialogs. */
export const toast = (page: Page, text: string | RegExp) => page.locator('.kq-toast', { hasText: text }).first().waitFor();

/** The row of a list that shows a text. */
export const row = (page: Page | Locator, text: string): Locator => page.getByRole('row').filter({ hasText: text }).first();

/** An action of a row, also when it stands under 更多. */
export async function act(page: Page, text: string, action: string): Promise<void> {
  const found = row(page, text);
  const button = found.getByRole('button', { name: action, exact: true });
  const more = found.getByRole('button', { name: '更多' });
  // A row may stand before its actions do.
  await button.or(more).first().waitFor();
  if (await button.count()) return button.first().click();
  await more.click();
  await page.locator('.kq-popmenu, [role=menu], [role=dialog]').getByText(action, { exact: true }).last().click();
}

/** Picks from a select by its label, typing first where the choices come from the server. */
export async function choose(page: Page | Locator, label: string, option: string, typed?: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true }).last();
  await field.click();
  if (typed !== undefined) await field.fill(typed);
  const top = 'page' in page ? page.page() : page;
  await top
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option', { hasText: option })
    .first()
    .click();
}

/** A day typed into its field. */
export async function day(page: Page | Locator, label: string, value: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true }).last();
  await field.fill(value);
  await field.press('Enter');
}

export const dialog = (page: Page, title: string | RegExp): Locator => page.getByRole('dialog').filter({ hasText: title }).last();

/** Answers a question with its main button, with an opinion where it asks for one. */
export async function confirm(page: Page, opinion?: string): Promise<void> {
  const asked = page.getByRole('dialog').last();
  if (opinion !== undefined) await asked.getByRole('textbox').fill(opinion);
  await asked.getByRole('button', { name: '确定', exact: true }).click();
}

/** One of the search fields of a list, which may stand behind 展开. */
async function searchField(page: Page, label: string): Promise<Locator> {
  const field = page.getByLabel(label, { exact: true }).first();
  const unfold = page.getByRole('search').getByRole('button', { name: '展开' });
  await field.or(unfold).first().waitFor();
  if (!(await field.isVisible())) await unfold.click();
  return field;
}

/** Searches a list by one of its fields. */
export async function search(page: Page, label: string, text: string): Promise<void> {
  await (await searchField(page, label)).fill(text);
  await page.getByRole('button', { name: '查询' }).click();
}

/** A slow double click: the first click has been answered by the server when the second one comes, at the same place of the screen. */
export async function slowDoubleClick(page: Page, target: Locator, answered: RegExp): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('what is clicked is not on the screen');
  const answer = page.waitForResponse(answered);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await (await answer).finished();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
}

/** From a table that was uploaded without a fault to the end of the import, where its preview shows `text`. */
export async function importAll(page: Page, wizard: Locator, text: string): Promise<void> {
  await wizard.getByText('全部行通过校验，可以预览并提交').waitFor();
  await wizard.getByRole('button', { name: '下一步' }).click();
  await wizard.getByText(text).first().waitFor();
  await wizard.getByRole('button', { name: '下一步' }).click();
  await wizard.getByRole('button', { name: /^提\s*交$/ }).click();
  await page
    .getByRole('dialog', { name: '确认提交' })
    .getByRole('button', { name: /确\s*定/ })
    .click();
  await wizard.getByRole('heading', { name: '导入完成' }).waitFor();
}
