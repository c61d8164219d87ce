import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import * as calls from '../../contract/calls/vendor.ts';
import { own } from '../database.ts';
import { addMembers } from '../im/conversations/groups.ts';
import { makeAccounts } from '../testing/imWorld.ts';
import { groupRowOf, makeInquiry } from '../testing/inquiryWorld.ts';

const NOWHERE = 'GROUPYH99999999';

/** A group of which the caller is the doctor's primary assistant. */
async function ownGroup(app: TestApp, as: TestStaff | null): Promise<string> {
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
  const { convId } = await groupRowOf(app, served.groupId);
  const { operatorId } = await own(app.db)
    .selectFrom('consultationAssistantDuty')
    .select('operatorId')
    .where('assistantId', '=', served.primary.assistantId)
    .executeTakeFirstOrThrow();
  await app.kernel.transactions.run('test', async (writing) => {
    await makeAccounts(app.kernel, writing, [`A${operatorId}`], app.clock.now());
    await addMembers(app.kernel, writing, convId, [`A${operatorId}`], {}, app.clock.now());
  });
  return `GROUP${served.groupId}`;
}

export const vendorCases: readonly CallCase[] = [
  callCase(calls.reportRead, async (app, as) => ({ conversationID: await ownGroup(app, as), readSeq: 1 }), {
    foreign: async () => ({ conversationID: NOWHERE, readSeq: 1 }),
  }),
  callCase(calls.hideConversation, async (app, as) => ({ conversationID: await ownGroup(app, as) }), {
    foreign: async () => ({ conversationID: NOWHERE }),
  }),
];
