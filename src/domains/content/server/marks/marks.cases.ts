import { callCase, type CallCase } from '#testing/cases.ts';
import { uploadTable } from '#testing/uploads.ts';
import { bindMark, exportMarkBindingList, queryMarkObjectList, queryObjectMark, unbindMark } from '../../contract/marks/calls/bindings.ts';
import {
  addTagGroup,
  delTagGroup,
  exportMarkList,
  modifyTagGroup,
  queryTagGroupList,
  sortTagGroup,
} from '../../contract/marks/calls/groups.ts';
import { importMarkBinding } from '../../contract/marks/calls/imports.ts';
import { addMark, delMark, mergeMark, modifyMark } from '../../contract/marks/calls/marks.ts';
import { carrying, fresh, makeGroup, makeMark, makeObject } from '../testing/marks.ts';

const NONE = '999999999';

export const markCases: readonly CallCase[] = [
  callCase(queryTagGroupList, async (app) => {
    await makeMark(app);
    return { objectType: 'DOCTOR' as const };
  }),
  callCase(exportMarkList, async (app) => {
    await makeMark(app);
    return { objectType: 'DOCTOR' as const };
  }),
  callCase(addTagGroup, async () => ({ objectType: 'DOCTOR' as const, groupName: fresh('新组') })),
  callCase(modifyTagGroup, async (app) => ({ id: await makeGroup(app), version: 1, groupName: fresh('改组') }), {
    foreign: async () => ({ id: NONE, version: 1, groupName: fresh('改组') }),
  }),
  callCase(delTagGroup, async (app) => ({ id: await makeGroup(app), version: 1 }), { foreign: async () => ({ id: NONE, version: 1 }) }),
  callCase(sortTagGroup, async (app) => ({ objectType: 'DOCTOR' as const, ids: [await makeGroup(app)] }), {
    foreign: async () => ({ objectType: 'DOCTOR' as const, ids: [NONE] }),
  }),
  callCase(addMark, async (app) => ({ groupId: await makeGroup(app), markName: fresh('新标') }), {
    foreign: async () => ({ groupId: NONE, markName: '标签' }),
  }),
  callCase(modifyMark, async (app) => ({ id: await makeMark(app), version: 1, markName: fresh('改标') }), {
    foreign: async () => ({ id: NONE, version: 1, markName: '标签' }),
  }),
  callCase(delMark, async (app) => ({ id: await makeMark(app), version: 1 }), { foreign: async () => ({ id: NONE, version: 1 }) }),
  callCase(
    mergeMark,
    async (app) => {
      const group = await makeGroup(app);
      return { fromId: await makeMark(app, group), version: 1, intoId: await makeMark(app, group) };
    },
    { foreign: async (app) => ({ fromId: await makeMark(app), version: 1, intoId: NONE }) },
  ),
  callCase(queryMarkObjectList, async (app) => ({ markId: await carrying(app), live: true })),
  callCase(exportMarkBindingList, async (app) => ({ markId: await carrying(app) })),
  callCase(queryObjectMark, async (app) => {
    await carrying(app);
    return { objectType: 'CHANNEL' as const, objectIds: [await makeObject(app)] };
  }),
  callCase(
    bindMark,
    async (app) => ({
      markIds: [await makeMark(app, await makeGroup(app, { objectType: 'CHANNEL' }))],
      objectType: 'CHANNEL' as const,
      objectIds: [await makeObject(app)],
    }),
    { foreign: async () => ({ markIds: [NONE], objectType: 'CHANNEL' as const, objectIds: ['1'] }) },
  ),
  callCase(
    unbindMark,
    async (app) => ({ markIds: [await carrying(app)], objectType: 'CHANNEL' as const, objectIds: [await makeObject(app)] }),
    { foreign: async () => ({ markIds: [NONE], objectType: 'CHANNEL' as const, objectIds: ['1'] }) },
  ),
  callCase(importMarkBinding, async (app, as) => ({
    fileId: await uploadTable(app, as!, [
      ['对象类型', '对象编号', '标签编码', '到期日期'],
      ['渠道', 'QD20261121000001', 'BQ00001', ''],
    ]),
  })),
];
