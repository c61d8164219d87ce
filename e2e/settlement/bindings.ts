import type { Page } from 'playwright-core';

/** Who serves which line, as the table of bindings says of the first one in force. */
export async function firstBinding(page: Page): Promise<{ agentNo: string; lineName: string }> {
  const bound = page.getByRole('row').filter({ hasText: '生效中' }).first();
  await bound.waitFor();
  const text = await bound.innerText();
  return { agentNo: /DB\d{14}/.exec(text)![0], lineName: /\S+产品线/.exec(text)![0] };
}
