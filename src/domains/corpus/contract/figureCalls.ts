import * as z from 'zod/mini';
import { id, idOut } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { corpusPermissions } from './permissions.ts';

const service = declareService('SceneInfoService');

/** What runs of a scene, and how its touches of the last seven days went; rates in hundredths of a percent of those sent. */
const sceneFigures = z.strictObject({
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

export const querySceneFigures = service.read({
  operation: 'querySceneFigures',
  label: '查询场景近7天数据',
  access: corpusPermissions['corpus.view'],
  silent: true,
  input: { diseaseId: field('病种', id) },
  output: z.array(sceneFigures),
});
