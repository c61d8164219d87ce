import { afterEach, expect, test, vi } from 'vitest';
import { provideDialogs, type Question } from '#kernel/web/feedback/dialogs.tsx';
import { mayLogOut, registerLogoutStep } from '#kernel/web/session/logout.ts';
import { held, leaveChat } from './holder.ts';

registerLogoutStep(leaveChat);
afterEach(() => {
  held.desk = null;
});

const deskWith = (unsent: number) => ({ unsent: () => unsent, leave: () => Promise.resolve(), close: () => {} });

test('who logs out with unsent messages is asked, and stays when he wants to', async () => {
  const asked = vi.fn<(question: Question) => Promise<string | null>>();
  provideDialogs(asked);
  expect(await mayLogOut()).toBe(true);
  held.desk = deskWith(0);
  expect(await mayLogOut()).toBe(true);
  expect(asked).not.toHaveBeenCalled();
  held.desk = deskWith(3);
  asked.mockResolvedValueOnce(null).mockResolvedValueOnce('');
  expect([await mayLogOut(), await mayLogOut()]).toEqual([false, true]);
  expect(asked).toHaveBeenCalledWith(expect.objectContaining({ content: '还有3条消息未发送，退出后将丢失，是否继续？' }));
});
