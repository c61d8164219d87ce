import type { LogoutStep } from '../../../../../kernel/web/session/logout.ts';

/** What the shell needs of a desk: small, because it is loaded with the product's first script. */
interface HeldDesk {
  leave(): Promise<void>;
  close(): void;
}
export const held: { desk: HeldDesk | null } = { desk: null };

/** Steps 1 and 5 of logging out: the chat is left and what the browser kept of it emptied, then the client is destroyed. */
export const leaveChat: LogoutStep = {
  leave: async () => held.desk?.leave(),
  destroy: () => {
    held.desk?.close();
    held.desk = null;
  },
};
