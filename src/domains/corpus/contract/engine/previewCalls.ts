import * as z from 'zod/mini';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { id, idOut, instantOut } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { corpusPermissions } from '../permissions.ts';
import { explainedCondition } from './explained.ts';

const service = declareService('ScenePackageService');
const may = corpusPermissions['run.view'];

export const previewSource = dictionary('corpusPreviewSource', { DRAFT: '草稿', PUBLISHED: '已发布' });
export const previewState = dictionary('corpusPreviewState', {
  RUNNING: { label: '执行中', tone: 'processing', job: true },
  DONE: { label: '已完成', tone: 'success' },
  FAILED: { label: '失败', tone: 'error' },
});
export const previewResult = dictionary('corpusPreviewResult', {
  ENTER: { label: '将进入', tone: 'success' },
  LIVE: { label: '已在场景', tone: 'processing' },
  BLOCKED: { label: '被拦截', tone: 'warning' },
  NOT: '不满足',
});
export type PreviewResult = (typeof previewResult.codes)[number];

/** How many of the candidates a row lets through; a missing value is told apart. */
const rowEffect = z.strictObject({
  label: z.string(),
  held: z.int(),
  notHeld: z.int(),
  noData: z.int(),
});
export type RowEffect = z.output<typeof rowEffect>;

const preview = z.strictObject({
  previewId: idOut,
  source: previewSource.schema,
  contentHash: z.string(),
  asOf: instantOut,
  state: previewState.schema,
  done: z.int(),
  total: z.int(),
  /** Candidates by their result. */
  counts: z.strictObject({ ENTER: z.int(), LIVE: z.int(), BLOCKED: z.int(), NOT: z.int() }),
  effects: z.array(rowEffect),
  fault: z.string(),
  createdAt: instantOut,
});
export type Preview = z.output<typeof preview>;

export const addScenePreview = service.act({
  operation: 'addScenePreview',
  label: '试运行场景',
  access: may,
  input: { scenePackageId: field('场景包', id), source: field('试运行内容', previewSource.schema) },
  output: preview,
});

/** The newest dry run of a package, or the one that is named; null before the first. */
export const queryScenePreview = service.read({
  operation: 'queryScenePreview',
  label: '查询试运行',
  access: may,
  input: { scenePackageId: field('场景包', id), previewId: field('试运行', z.optional(id)) },
  output: z.nullable(preview),
});

const previewRow = z.strictObject({
  patientId: idOut,
  /** Masked. */
  patientName: field('患者', z.string()),
  conversationId: idOut,
  doctorName: field('医生', z.string()),
  result: field('结果', previewResult.schema),
  reason: field('原因', z.string()),
  explain: z.array(explainedCondition),
});
export const queryScenePreviewRows = service.list({
  operation: 'queryScenePreviewRows',
  label: '查询试运行结果',
  access: may,
  filter: { previewId: field('试运行', id), result: field('结果', z.optional(previewResult.schema)) },
  output: previewRow,
});
