import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { id, idOut, instant, paging, smallCode } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { packageState } from './dictionaries.ts';
import { corpusPermissions } from './permissions.ts';
import { blankOr, box, chatFlagIn, chatFlagOut, looseText } from './wire.ts';

const common = {
  id: idOut,
  chatFlag: chatFlagOut,
  groupChat: z.boolean(),
  singleChat: z.boolean(),
  /** 1 = a schedule item or a cycle exists, else empty. */
  corpusInfoLogo: z.union([z.literal(1), z.literal('')]),
  scenePackageId: idOut,
  state: packageState.schema,
  version: z.int(),
  updatedAt: instant,
};

export const childSceneRow = z.strictObject({
  ...common,
  childSceneId: idOut,
  childSceneName: z.string(),
  mainSceneId: idOut,
});
export type ChildSceneRow = z.output<typeof childSceneRow>;

export const sceneRow = z.strictObject({
  ...common,
  sceneId: idOut,
  sceneName: z.string(),
  diseaseId: idOut,
  dataDetail: z.array(childSceneRow),
});
export type SceneRow = z.output<typeof sceneRow>;

const base = { host: 'admin', service: 'SceneInfoService' } as const;
const mayEdit = access.permission(corpusPermissions['scene.edit']);
const boxes = { groupChat: field('群聊', box), singleChat: field('单聊', box), chatFlag: chatFlagIn };
const someRows = [z.minLength(1, '请至少填写一行'), z.maxLength(20, '一次最多新增20行')] as const;

export const querySceneList = call({
  ...base,
  operation: 'querySceneList',
  shape: 'list',
  kind: 'query',
  input: z.strictObject({ diseaseId: field('病种', id), ...paging }),
  output: sceneRow,
  access: access.permission(corpusPermissions['corpus.view']),
  label: '查询场景',
  silent: true,
});

export const addScene = call({
  ...base,
  operation: 'addScene',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({
    diseaseId: field('病种', id),
    dataDetail: field('明细', z.array(z.strictObject({ sceneName: field('场景名称', looseText), ...boxes })).check(...someRows)),
  }),
  output: z.array(sceneRow),
  access: mayEdit,
  label: '新增场景',
  message: '添加成功',
  silent: true,
});

export const addChildScene = call({
  ...base,
  operation: 'addChildScene',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({
    diseaseId: field('病种', id),
    mainSceneId: field('主场景', id),
    dataDetail: field('明细', z.array(z.strictObject({ childSceneName: field('子场景名称', looseText), ...boxes })).check(...someRows)),
  }),
  output: z.array(childSceneRow),
  access: mayEdit,
  label: '新增子场景',
  message: '添加成功',
  silent: true,
});

/** Renames; with `corpusInfoLogo` 1 saves a copy under the name instead. */
export const modifySceneName = call({
  ...base,
  operation: 'modifySceneName',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({
    id,
    sceneName: field('场景名称', looseText),
    corpusInfoLogo: blankOr(smallCode('复制标识', [1] as const)),
    diseaseId: field('病种', id),
  }),
  output: z.union([sceneRow, childSceneRow]),
  access: mayEdit,
  label: '重命名或复制场景',
  message: '修改成功!',
  silent: true,
});

/** `sign` 1 scene, 2 child scene. */
export const delScene = call({
  ...base,
  operation: 'delScene',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({ id, diseaseid: field('病种', id), sign: smallCode('场景类型', [1, 2] as const) }),
  output: z.strictObject({}),
  access: mayEdit,
  label: '删除场景',
  message: '删除成功!',
});
