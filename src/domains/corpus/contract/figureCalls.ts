import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { id, idOut } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { corpusPermissions } from './permissions.ts';

/** What runs of a scene, and how its touches of the last seven days went; rates in hundredths of a percent of those sent. */
export const sceneFigures = z.strictObject({
  scenePackageId: idOut,
  /** Number of the version in force; null before the first. */
  publishedSeq: z.nullable(z.int()),
  /** The draft says something else than the version in force. */
  isDirty: z.boolean(),
  liveRuns: z.int(),
  sent: z.int(),
  readBp: z.nullable(z.int()),
  convertedBp: z.nullable(z.int()),
});
export type SceneFigures = z.output<typeof sceneFigures>;

export const querySceneFigures = call({
  host: 'admin',
  service: 'SceneInfoService',
  operation: 'querySceneFigures',
  shape: 'data',
  kind: 'query',
  input: z.strictObject({ diseaseId: field('病种', id) }),
  output: z.array(sceneFigures),
  access: access.permission(corpusPermissions['corpus.view']),
  label: '查询场景近7天数据',
  silent: true,
});
