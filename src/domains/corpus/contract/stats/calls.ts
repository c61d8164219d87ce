import * as z from 'zod/mini';
import { exportFields, exportQueued } from '#kernel/contract/exporting.ts';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { field } from '#kernel/contract/field.ts';
import { day, id } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { corpusPermissions } from '../permissions.ts';

/** Longest span that one question covers, in days. */
export const MOST_STAT_DAYS = 92;

export const statGroup = dictionary('corpus.statGroup', {
  day: '日期',
  scene: '场景',
  item: '日程',
  material: '素材',
  version: '版本',
  assistant: '医助',
});

const service = declareService('FollowStatService');
/** Days on which touches were due. */
const filter = {
  from: field('开始日期', day),
  to: field('结束日期', day),
  diseaseId: field('病种', z.optional(id)),
  sceneId: field('场景', z.optional(id)),
};
const whole = z.int();
const rate = z.nullable(z.int());
/** Touches that were due and not called off, and what became of them; rates in hundredths of a percent of those sent. */
const counts = {
  planned: field('计划', whole),
  sent: field('发送', whole),
  read: field('阅读', whole),
  replied: field('回复', whole),
  converted: field('转化', whole),
  skipped: field('跳过', whole),
  failed: field('失败', whole),
  readBp: field('阅读率', rate),
  repliedBp: field('回复率', rate),
  convertedBp: field('转化率', rate),
};

const statRow = z.strictObject({ key: z.string(), label: field('统计项', z.string()), ...counts });
export type StatRow = z.output<typeof statRow>;
export const queryFollowStat = service.read({
  operation: 'queryFollowStat',
  label: '查询随访统计',
  access: corpusPermissions['stat.view'],
  input: { ...filter, groupBy: field('统计方式', statGroup.schema) },
  output: z.array(statRow),
});

/** What the page shows, as a table. */
export const exportFollowStat = service.file({
  operation: 'exportFollowStat',
  label: '导出随访统计',
  method: 'GET',
  access: corpusPermissions['corpus.export'],
  log: 'EXPORT',
  input: { ...filter, groupBy: field('统计方式', statGroup.schema), ...exportFields },
  output: exportQueued,
});

export const queryFollowFunnel = service.read({
  operation: 'queryFollowFunnel',
  label: '查询随访漏斗',
  access: corpusPermissions['stat.view'],
  input: filter,
  output: z.strictObject(counts),
});
