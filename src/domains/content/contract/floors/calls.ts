import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, instantOut, several, text, version } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { markPermissions } from '../marks/permissions.ts';
import { releaseStates } from '../releases/states.ts';
import { clientTypes, pageCodes } from './clientPages.ts';
import { floorTypes } from './dictionaries.ts';
import { floorPermissions as may } from './permissions.ts';
import { floorChange, floorFacts, shownFloor } from './shape.ts';

const service = declareService('FloorService');
const view = markPermissions['content.view'];
const edit = may['page.edit'];
const pageCode = field('页面', z.enum(pageCodes.codes, '请选择页面'));

/** Pages with what they show now and whether somebody is to audit. */
export const queryClientPageList = service.read({
  operation: 'queryClientPageList',
  label: '查询客户端页面',
  access: view,
  input: {},
  output: z.array(
    z.strictObject({
      pageCode: pageCodes.schema,
      clientType: clientTypes.schema,
      allowedFloorTypes: z.array(floorTypes.schema),
      maxFloors: z.int(),
      previewWidth: z.int(),
      liveFloors: z.int(),
      auditing: z.boolean(),
    }),
  ),
});

/** The draft of a page, and what it would change of what is live. */
export const queryPageLayout = service.read({
  operation: 'queryPageLayout',
  label: '查询页面楼层',
  access: view,
  input: { pageCode },
  output: z.strictObject({
    pageCode: pageCodes.schema,
    version: z.int(),
    updatedAt: z.nullable(instantOut),
    floors: z.array(shownFloor),
    live: z.nullable(z.strictObject({ id: idOut, seq: z.int() })),
    open: z.nullable(z.strictObject({ id: idOut, seq: z.int(), state: releaseStates.dictionary.schema })),
    diff: z.array(floorChange),
  }),
});

/** The version is that of the page: two editors of one draft meet each other. */
const saved = z.strictObject({ id: idOut, version: z.int() });

export const addFloor = service.act({
  operation: 'addFloor',
  label: '新增楼层',
  access: edit,
  message: '添加成功!',
  input: { pageCode, version, floorType: field('楼层类型', z.enum(floorTypes.codes, '请选择楼层类型')), ...floorFacts },
  output: saved,
});
export const modifyFloor = service.act({
  operation: 'modifyFloor',
  label: '修改楼层',
  access: edit,
  input: { id, version, ...floorFacts },
  output: saved,
});
export const copyFloor = service.act({
  operation: 'copyFloor',
  label: '复制楼层',
  access: edit,
  message: '添加成功!',
  input: { id, version },
  output: saved,
});
export const delFloor = service.act({ operation: 'delFloor', label: '删除楼层', access: edit, input: { id, version }, output: saved });
/** All floors of a page in their new order. */
export const sortFloor = service.act({
  operation: 'sortFloor',
  label: '排序楼层',
  access: edit,
  input: { pageCode, version, ids: field('顺序', several(id, 20)) },
  output: z.strictObject({ version: z.int() }),
});
/** The draft as it was before, all floors of it: what the keys of the editor take back and do again. */
export const restorePageLayout = service.act({
  operation: 'restorePageLayout',
  label: '恢复页面楼层',
  access: edit,
  input: {
    pageCode,
    version,
    floors: field(
      '楼层',
      z
        .array(
          z.strictObject({
            floorKey: text('楼层标识', 64, 1),
            floorType: field('楼层类型', z.enum(floorTypes.codes, '请选择楼层类型')),
            ...floorFacts,
          }),
        )
        .check(z.maxLength(20, '楼层数量超过上限（20）')),
    ),
  },
  output: z.strictObject({ version: z.int() }),
});
