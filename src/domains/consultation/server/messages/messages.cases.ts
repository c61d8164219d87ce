import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import * as calls from '../../contract/calls/messages.ts';
import { own } from '../database.ts';
import { makeColleague, makeInquiry, say } from '../testing/inquiryWorld.ts';

const NOWHERE = 'GROUPYH99999999';
/** A group in which the patient has spoken; the caller is its owner. */
async function spoken(app: TestApp, as: TestStaff | null): Promise<{ conversationID: string; seq: number }> {
  const served = await makeInquiry(app);
  if (as) {
    await own(app.db)
      .updateTable('consultationAssistantDuty')
      .set(({ eb }) => ({ userId: eb('assistantId', '+', '800000000') }))
      .where('userId', '=', as.userId)
      .execute();
    await own(app.db)
      .updateTable('consultationAssistantDuty')
      .set({ userId: as.userId })
      .where('assistantId', '=', served.primary.assistantId)
      .execute();
  }
  const posted = await say(app, served.groupId, `P${served.sufferer.operatorId}`, '我最近胸闷气短');
  if (!('seq' in posted)) throw new Error(posted.message);
  return { conversationID: `GROUP${served.groupId}`, seq: posted.seq };
}
const asLead = { role: 'ASSISTANT_LEAD' } as const;
const foreign = { conversationID: NOWHERE, seq: 1 };

export const messageCases: readonly CallCase[] = [
  callCase(calls.queryStoredMessages, async (app, as) => ({ conversationID: (await spoken(app, as)).conversationID }), {
    as: { role: 'ASSISTANT' },
    foreign: async () => ({ conversationID: NOWHERE }),
  }),
  callCase(
    calls.searchMessages,
    async (app, as) => {
      await spoken(app, as);
      return { keyword: '胸闷' };
    },
    {
      foreign: async (app, as) => {
        if (as) await spoken(app, as);
        return { keyword: '胸闷', groupId: NOWHERE.slice(5) };
      },
    },
  ),
  callCase(calls.revokeMessageBySupervisor, async (app, as) => ({ ...(await spoken(app, as)), reason: '含隐私' }), {
    as: asLead,
    foreign: async (app, as) => {
      if (as) await spoken(app, as);
      else await makeColleague(app);
      return { ...foreign, reason: '含隐私' };
    },
  }),
  callCase(
    calls.queryMessageOriginal,
    async (app, as) => {
      const place = await spoken(app, as);
      await app.ok(calls.revokeMessageBySupervisor, { ...place, reason: '含隐私' }, { as: as! });
      return place;
    },
    { as: asLead, foreign: async () => foreign },
  ),
];
