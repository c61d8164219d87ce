import { callCase, type CallCase } from '#testing/cases.ts';
import {
  addContactTransfer,
  addLiveCode,
  changeLiveCodeState,
  exportContactList,
  exportContactTransferList,
  exportLiveCodeList,
  modifyLiveCode,
  previewWelcome,
  queryContactList,
  queryContactTransferList,
  queryLiveCodeList,
  retryContactWay,
  revealContactName,
  saveLiveCodeMembers,
} from '../contract/calls/liveCodes.ts';
import {
  autoBindMember,
  bindMember,
  changeCorpState,
  exportMemberList,
  exportSyncRunList,
  queryCorpList,
  queryMemberList,
  querySyncRunList,
  saveCorp,
  saveCorpApp,
  syncWeChatWork,
  testCorp,
  unbindMember,
} from '../contract/calls/wecom.ts';
import type { TestApp } from '#testing/testApp.ts';
import { fresh, makeChannel, operator } from './testing/fixtures.ts';
import { makeContact, makeCorp, makeLiveCode, makeMember } from './testing/wecom.ts';

const NONE = '999999999';

async function transferOf(app: TestApp) {
  const live = await makeLiveCode(app);
  return { contactIds: [(await makeContact(app, live)).id], toMemberId: await makeMember(app, live.corpRowId), reason: 'CHANGE' as const };
}

export const wecomCases: readonly CallCase[] = [
  callCase(queryCorpList, async (app) => {
    await makeCorp(app);
    return {};
  }),
  callCase(saveCorp, async () => ({ corpId: fresh('wwcase'), name: '企业', mode: 'LOCAL' as const }), {
    foreign: async () => ({ id: NONE, version: 1, corpId: fresh('wwcase'), name: '企业', mode: 'LOCAL' as const }),
  }),
  callCase(testCorp, async (app) => ({ id: (await makeCorp(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(
    changeCorpState,
    async (app) => ({ id: (await makeCorp(app)).id, version: 2, action: 'disable' as const, opinion: '停用企业' }),
    { foreign: async () => ({ id: NONE, version: 1, action: 'disable' as const, opinion: '停用企业' }) },
  ),
  callCase(
    saveCorpApp,
    async (app) => ({ corpRowId: (await makeCorp(app)).id, agentId: '1000002', name: '应用', state: 'ENABLED' as const }),
    { foreign: async () => ({ corpRowId: NONE, agentId: '1000002', name: '应用', state: 'ENABLED' as const }) },
  ),
  callCase(queryMemberList, async (app) => {
    await makeMember(app, (await makeCorp(app)).id);
    return {};
  }),
  callCase(exportMemberList, async (app) => {
    await makeMember(app, (await makeCorp(app)).id);
    return {};
  }),
  callCase(
    bindMember,
    async (app) => ({ memberId: await makeMember(app, (await makeCorp(app)).id), staffUserId: (await operator(app)).userId }),
    { foreign: async (app) => ({ memberId: NONE, staffUserId: (await operator(app)).userId }) },
  ),
  callCase(
    unbindMember,
    async (app) => {
      const memberId = await makeMember(app, (await makeCorp(app)).id);
      await app.ok(bindMember, { memberId, staffUserId: (await operator(app)).userId }, { as: await operator(app) });
      return { memberId };
    },
    { foreign: async () => ({ memberId: NONE }) },
  ),
  callCase(autoBindMember, async (app) => ({ corpRowId: (await makeCorp(app)).id, dryRun: true }), {
    foreign: async () => ({ corpRowId: NONE, dryRun: true }),
  }),
  callCase(syncWeChatWork, async (app) => ({ corpRowId: (await makeCorp(app)).id, kind: 'MEMBER' as const }), {
    foreign: async () => ({ corpRowId: NONE, kind: 'MEMBER' as const }),
  }),
  callCase(querySyncRunList, async () => ({})),
  callCase(exportSyncRunList, async (app) => {
    await app.ok(syncWeChatWork, { corpRowId: (await makeCorp(app)).id, kind: 'TAG' }, { as: await operator(app) });
    return {};
  }),

  callCase(queryLiveCodeList, async (app) => {
    await makeLiveCode(app);
    return {};
  }),
  callCase(
    addLiveCode,
    async (app) => {
      const corpRowId = (await makeCorp(app)).id;
      return {
        corpRowId,
        channelId: (await makeChannel(app)).id,
        name: '活码',
        strategy: 'ROUND' as const,
        members: [{ memberId: await makeMember(app, corpRowId) }],
      };
    },
    {
      foreign: async (app) => ({
        corpRowId: (await makeCorp(app)).id,
        channelId: NONE,
        name: '活码',
        strategy: 'ROUND' as const,
        members: [{ memberId: NONE }],
      }),
    },
  ),
  callCase(modifyLiveCode, async (app) => ({ id: (await makeLiveCode(app)).id, version: 2, name: '改名', strategy: 'LEAST' as const }), {
    foreign: async () => ({ id: NONE, version: 1, name: '改名', strategy: 'LEAST' as const }),
  }),
  callCase(
    saveLiveCodeMembers,
    async (app) => {
      const { id, corpRowId } = await makeLiveCode(app);
      return { id, version: 2, members: [{ memberId: await makeMember(app, corpRowId) }] };
    },
    { foreign: async () => ({ id: NONE, version: 1, members: [{ memberId: NONE }] }) },
  ),
  callCase(changeLiveCodeState, async (app) => ({ id: (await makeLiveCode(app)).id, version: 2, action: 'pause' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'pause' as const }),
  }),
  callCase(retryContactWay, async (app) => ({ id: (await makeLiveCode(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(previewWelcome, async (app) => ({ welcome: { text: '您好' }, channelId: (await makeChannel(app)).id }), {
    foreign: async () => ({ welcome: { text: '您好' }, channelId: NONE }),
  }),
  callCase(exportLiveCodeList, async (app) => {
    await makeLiveCode(app);
    return {};
  }),
  callCase(queryContactList, async (app) => {
    await makeContact(app, await makeLiveCode(app));
    return {};
  }),
  callCase(revealContactName, async (app) => ({ id: (await makeContact(app, await makeLiveCode(app))).id }), {
    foreign: async () => ({ id: NONE }),
  }),
  callCase(addContactTransfer, transferOf, { foreign: async () => ({ contactIds: [NONE], toMemberId: NONE, reason: 'CHANGE' as const }) }),
  callCase(queryContactTransferList, async () => ({})),
  callCase(exportContactTransferList, async (app) => {
    await app.ok(addContactTransfer, await transferOf(app), { as: await operator(app) });
    return {};
  }),
  callCase(exportContactList, async (app) => {
    await makeContact(app, await makeLiveCode(app));
    return {};
  }),
];
