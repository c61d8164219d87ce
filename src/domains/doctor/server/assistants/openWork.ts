import type { OpenWorkCounter } from '#domains/identity/server/index.ts';
import { own } from '../database.ts';

/** Conversations under way that an assistant answers. */
export const openConversations: OpenWorkCounter = {
  label: '进行中的会话',
  async count(db, userId) {
    const rows = await own(db).selectFrom('doctorAssistant').select('activeCount').where('userId', '=', userId).execute();
    return rows.reduce((sum, { activeCount }) => sum + activeCount, 0);
  },
};
