import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { flag, id, idOut, instantOut, opinion, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { trail } from '#kernel/contract/trail.ts';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { packageState } from '../dictionaries.ts';
import { corpusPermissions as may } from '../permissions.ts';
import { materialContent } from './content.ts';
import { materialType, wordLevel } from './dictionaries.ts';
import { reviewAccess, reviewActionIn, reviewMachine, revisionMachine, submittedVersion } from './review.ts';

const service = declareService('MaterialService');
const mayView = may['corpus.view'];
const mayEdit = may['material.edit'];
const state = reviewMachine.dictionary.schema;
const editState = revisionMachine.dictionary.schema;

const materialRow = z.strictObject({
  id: idOut,
  materialNo: field('素材编号', z.string(), { width: 150 }),
  title: field('素材标题', z.string(), { width: 220 }),
  materialType: field('类型', materialType.schema, { width: 100 }),
  folderId: textOrNull,
  folderName: field('目录', textOrNull, { width: 120 }),
  diseaseIds: z.array(z.string()),
  diseaseNames: field('适用病种', z.array(z.string()), { width: 160 }),
  tags: field('标签', z.array(z.string()), { width: 140 }),
  /** Words of the version in use, of the draft where there is none yet. */
  summary: field('内容摘要', z.string(), { width: 260 }),
  pictureFileId: textOrNull,
  /** Soft words in what waits for its audit. */
  forbiddenHits: z.array(z.string()),
  state: field('状态', state),
  editState: field('修改状态', editState),
  /** Schedule items and cycles that send it. */
  usageCount: field('引用次数', z.int(), { width: 90 }),
  updatedAt: field('更新时间', instantOut),
  updatedByName: field('更新人', textOrNull, { width: 100 }),
  version: z.int(),
  allowedActions: actionsOf(reviewMachine, 'corpus.material'),
});
export type MaterialRow = z.output<typeof materialRow>;

export const queryMaterialList = service.list({
  operation: 'queryMaterialList',
  label: '查询素材',
  access: mayView,
  filter: {
    ...sortedBy('materialNo', 'usageCount', 'updatedAt'),
    keyword: z.optional(text('标题或编号', 64)),
    type: field('类型', z.optional(several(materialType.schema))),
    state: field('状态', z.optional(several(state))),
    folderId: field('目录', z.optional(id)),
    diseaseId: field('病种', z.optional(id)),
    tag: z.optional(text('标签', 20)),
    /** Waiting for an audit that is not of one's own submission. */
    toAudit: field('待我审核', z.optional(flag)),
    ids: field('素材', z.optional(several(id, 200))),
  },
  output: z.strictObject({ ...materialRow.shape, /** Small picture, readable for a while. */ pictureUrl: textOrNull }),
});

export const exportMaterialList = exportOf(queryMaterialList, {
  operation: 'exportMaterialList',
  label: '导出素材',
  access: may['corpus.export'],
});

const names = z.strictObject({
  image: z.nullable(z.strictObject({ fileId: idOut, fileName: z.string(), size: z.number() })),
  medicine: z.nullable(z.strictObject({ medicineId: idOut, name: z.string(), spec: textOrNull, rxRequired: z.boolean() })),
  questionnaire: z.nullable(z.strictObject({ questionnaireId: idOut, title: z.string() })),
});
/** A content with the names of what it refers to. */
const shownContent = z.strictObject({ content: materialContent, facts: names, /** Picture or cover. */ pictureUrl: textOrNull });
export type ShownContent = z.output<typeof shownContent>;

export const queryMaterialDetail = service.read({
  operation: 'queryMaterialDetail',
  label: '查询素材详情',
  access: mayView,
  input: { id },
  output: z.strictObject({
    material: materialRow,
    /** What patients get; null before the first approval. */
    current: z.nullable(shownContent),
    /** What is being written or audited. */
    draft: z.nullable(shownContent),
    versions: z.array(submittedVersion),
    timeline: trail,
  }),
});

const fields = {
  title: text('素材标题', 64, 1),
  folderId: field('目录', z.optional(z.nullable(id))),
  diseaseIds: field('适用病种', z._default(z.array(id).check(z.maxLength(20, '最多20个病种')), [])),
  tags: field('标签', z._default(z.array(text('标签', 20, 1)).check(z.maxLength(10, '最多10个标签')), [])),
  content: field('内容', materialContent),
};
const saved = z.strictObject({ id: idOut, version: z.int() });

export const addMaterial = service.act({
  operation: 'addMaterial',
  label: '新增素材',
  access: mayEdit,
  message: '新增成功!',
  input: fields,
  output: saved,
});

/** The type stays; a changed content of approved material is a new version to be audited. */
export const modifyMaterial = service.act({
  operation: 'modifyMaterial',
  label: '修改素材',
  access: mayEdit,
  message: '修改成功!',
  input: { id, version, ...fields },
  output: saved,
});

export const delMaterial = service.act({
  operation: 'delMaterial',
  label: '删除素材',
  access: mayEdit,
  message: '删除成功!',
  input: { id, version },
  output: z.strictObject({}),
});

export const auditMaterial = service.act({
  operation: 'auditMaterial',
  label: '提交、审核、停用、启用素材',
  access: reviewAccess,
  message: '操作成功!',
  input: {
    id,
    version,
    action: reviewActionIn,
    opinion: z.optional(opinion),
    /** The operator was told how many running scenes use what he disables. */
    confirmed: field('已确认', z.optional(z.boolean('已确认不正确'))),
  },
  output: actionAnswer,
});

export const queryMaterialUsage = service.read({
  operation: 'queryMaterialUsage',
  label: '查询素材引用',
  access: mayView,
  input: { id },
  output: z.array(
    z.strictObject({
      kind: z.enum(['SCHEDULE', 'CYCLE']),
      diseaseId: idOut,
      diseaseName: z.string(),
      sceneId: idOut,
      sceneName: z.string(),
      state: packageState.schema,
      /** Of a schedule item. */
      dayOffset: z.nullable(z.int()),
      sendTime: z.string(),
    }),
  ),
});

/** A content as a patient would get it; without a patient by the examples of the variables. */
export const previewMaterial = service.read({
  operation: 'previewMaterial',
  label: '预览素材',
  access: mayView,
  input: { content: field('内容', materialContent), patientId: field('患者', z.optional(id)) },
  output: z.strictObject({
    /** Values of the text variables; one that is missing is shown by its fallback. */
    values: z.record(z.string(), z.string()),
    bubble: z.nullable(z.strictObject({ type: z.string(), payload: z.record(z.string(), z.unknown()) })),
  }),
});

/** What editors of materials choose from and are warned of. */
export const queryMaterialOptions = service.read({
  operation: 'queryMaterialOptions',
  label: '查询素材选项',
  access: mayView,
  input: {},
  output: z.strictObject({
    words: z.array(z.strictObject({ word: z.string(), level: wordLevel.schema })),
    /** Tags in use, often used ones first. */
    tags: z.array(z.string()),
  }),
});

const folderRow = z.strictObject({
  id: idOut,
  parentId: textOrNull,
  name: z.string(),
  sortNo: z.int(),
  /** Materials of the folder itself. */
  materialCount: z.int(),
  version: z.int(),
});
export type FolderRow = z.output<typeof folderRow>;

export const queryMaterialFolderList = service.read({
  operation: 'queryMaterialFolderList',
  label: '查询素材目录',
  access: mayView,
  input: {},
  output: z.array(folderRow),
});
export const addMaterialFolder = service.act({
  operation: 'addMaterialFolder',
  label: '新增素材目录',
  access: mayEdit,
  message: '新增成功!',
  input: { name: text('目录名称', 32, 1), parentId: field('上级目录', z.optional(z.nullable(id))) },
  output: saved,
});
export const modifyMaterialFolder = service.act({
  operation: 'modifyMaterialFolder',
  label: '修改素材目录',
  access: mayEdit,
  message: '修改成功!',
  input: { id, version, name: text('目录名称', 32, 1) },
  output: saved,
});
export const delMaterialFolder = service.act({
  operation: 'delMaterialFolder',
  label: '删除素材目录',
  access: mayEdit,
  message: '删除成功!',
  input: { id, version },
  output: z.strictObject({}),
});
