import * as z from 'zod/mini';
import { id, idOut, instant, paging, smallCode } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
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

const childSceneRow = z.strictObject({
  ...common,
  childSceneId: idOut,
  childSceneName: z.string(),
  mainSceneId: idOut,
});
export type ChildSceneRow = z.output<typeof childSceneRow>;

const sceneRow = z.strictObject({
  ...common,
  sceneId: idOut,
  sceneName: z.string(),
  diseaseId: idOut,
  dataDetail: z.array(childSceneRow),
});
export type SceneRow = z.output<typeof sceneRow>;

const service = declareService('SceneInfoService');
const mayEdit = corpusPermissions['scene.edit'];
const boxes = { groupChat: field('群聊', box), singleChat: field('单聊', box), chatFlag: chatFlagIn };
const someRows = [z.minLength(1, '请至少填写一行'), z.maxLength(20, '一次最多新增20行')] as const;

export const querySceneList = service.list({
  operation: 'querySceneList',
  label: '查询场景',
  access: corpusPermissions['corpus.view'],
  silent: true,
  filter: z.strictObject({ diseaseId: field('病种', id), ...paging }),
  output: sceneRow,
});

export const addScene = service.act({
  operation: 'addScene',
  label: '新增场景',
  access: mayEdit,
  message: '添加成功',
  silent: true,
  input: {
    diseaseId: field('病种', id),
    dataDetail: field('明细', z.array(z.strictObject({ sceneName: field('场景名称', looseText), ...boxes })).check(...someRows)),
  },
  output: z.array(sceneRow),
});

export const addChildScene = service.act({
  operation: 'addChildScene',
  label: '新增子场景',
  access: mayEdit,
  message: '添加成功',
  silent: true,
  input: {
    diseaseId: field('病种', id),
    mainSceneId: field('主场景', id),
    dataDetail: field('明细', z.array(z.strictObject({ childSceneName: field('子场景名称', looseText), ...boxes })).check(...someRows)),
  },
  output: z.array(childSceneRow),
});

/** Renames; with `corpusInfoLogo` 1 saves a copy under the name instead. */
export const modifySceneName = service.act({
  operation: 'modifySceneName',
  label: '重命名或复制场景',
  access: mayEdit,
  message: '修改成功!',
  silent: true,
  input: {
    id,
    sceneName: field('场景名称', looseText),
    corpusInfoLogo: blankOr(smallCode('复制标识', [1] as const)),
    diseaseId: field('病种', id),
  },
  output: z.union([sceneRow, childSceneRow]),
});

/** `sign` 1 scene, 2 child scene. */
export const delScene = service.act({
  operation: 'delScene',
  label: '删除场景',
  access: mayEdit,
  message: '删除成功!',
  input: { id, diseaseid: field('病种', id), sign: smallCode('场景类型', [1, 2] as const) },
  output: z.strictObject({}),
});
