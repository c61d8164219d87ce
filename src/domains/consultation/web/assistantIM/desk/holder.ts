import { ask } from '#kernel/web/feedback/dialogs.tsx';
import type { LogoutStep } from '#kernel/web/session/logout.ts';
import { forgetKept, unsentKept } from '../../im/kept/kept.ts';

/** What the shell needs of a desk: small, because it is loaded with the product's first script. */
interface HeldDesk {
  /** Messages written here that the service does not have yet. */
  unsent(): number;
  leave(): Promise<void>;
  close(): void;
}
export const held: { desk: HeldDesk | null } = { desk: null };

/**
 * Before logging out one is asked while messages wait. Then steps 1 and 5: the chat is left and what the browser kept of it emptied,
 * also where no tab shows it any more, and the client is destroyed.
 */
export const leaveChat: LogoutStep = {
  async ask() {
    const unsent = Math.max(held.desk?.unsent() ?? 0, await unsentKept());
    return unsent === 0 || ask({ content: `还有${unsent}条消息未发送，退出后将丢失，是否继续？`, ok: '退出登录' });
  },
  leave: async () => held.desk?.leave(),
  destroy: () => {
    held.desk?.close();
    held.desk = null;
    void forgetKept();
  },
};
