import * as z from 'zod/mini';
import { declareService, rowOutcomes } from '#kernel/contract/service.ts';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { exportQueued } from '#kernel/contract/exporting.ts';
import { id, idOut, instantOut, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { field } from '#kernel/contract/field.ts';
import { doctorPermissions as may } from '../permissions.ts';
import { cardMachine } from '../staffStates.ts';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { cardTemplates } from '../dictionaries.ts';

/** What a card shows besides name, title and hospital. */
export const cardFields = dictionary('doctor.cardField', {
  AVATAR: '头像',
  DEPARTMENT: '科室',
  DISEASES: '擅长病种',
  SPECIALTY: '擅长',
  INTRO: '简介',
});
export type CardField = (typeof cardFields.codes)[number];
/** Fields of a card that nobody arranged. */
export const usualFields: readonly CardField[] = ['AVATAR', 'DEPARTMENT', 'DISEASES', 'SPECIALTY'];

const service = declareService('DoctorInfoService');
const view = may['card.view'];
const edit = may['card.edit'];
const state = cardMachine.dictionary.schema;
const doctorIds = field('医生', z.array(id, '请选择医生').check(z.minLength(1, '请选择医生'), z.maxLength(500, '最多500名医生')));

const row = z.strictObject({
  id: idOut,
  doctorNo: field('医生编号', z.string()),
  doctorName: field('医生', z.string()),
  titleCode: textOrNull,
  hospitalName: textOrNull,
  departmentName: textOrNull,
  template: field('模板', z.nullable(cardTemplates.schema)),
  headline: z.string(),
  showFields: z.array(z.string()),
  state,
  failReason: field('失败原因', textOrNull),
  link: field('二维码', textOrNull),
  thumb: field('缩略图', textOrNull),
  scanCount: field('扫码数', z.int()),
  shareCount: field('分享数', z.int()),
  updatedAt: field('更新时间', z.nullable(instantOut)),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
/** `id` is the doctor's: there is one card for each. */
export type CardRow = z.output<typeof row>;
export const queryDoctorCardList = service.list({
  operation: 'queryDoctorCardList',
  label: '查询医生名片',
  access: view,
  filter: {
    ...sortedBy('doctorNo'),
    doctor: z.optional(text('医生', 30)),
    hospitalId: field('医院', z.optional(id)),
    state: z.optional(several(state)),
    template: field('模板', z.optional(several(cardTemplates.schema))),
  },
  output: row,
});
const looks = {
  template: field('模板', z.enum(cardTemplates.codes, '请选择模板')),
  headline: z._default(text('标题语', 30), ''),
  showFields: field('展示内容', z.array(cardFields.schema, '请选择展示内容').check(z.maxLength(10, '展示内容过多'))),
};
export const previewDoctorCard = service.read({
  operation: 'previewDoctorCard',
  label: '预览医生名片',
  access: view,
  /** Without looks: the card as it was made last. */
  input: { doctorId: field('医生', id), looks: field('样式', z.optional(z.strictObject(looks))) },
  output: z.strictObject({ card: z.string(), poster: z.string(), link: textOrNull }),
});
export const generateDoctorCard = service.act({
  operation: 'generateDoctorCard',
  label: '生成医生名片',
  access: edit,
  input: { doctorId: field('医生', id), ...looks },
  output: actionAnswer,
});
export const batchGenerateDoctorCard = service.act({
  operation: 'batchGenerateDoctorCard',
  label: '批量生成医生名片',
  access: edit,
  /** Cards that exist keep their own looks where `keepLooks` says so. */
  input: { doctorIds, keepLooks: field('保留样式', z._default(z.boolean(), false)), ...looks },
  output: z.strictObject({ taskId: idOut, taskNo: z.string(), total: z.int() }),
});
export const queryDoctorCardTask = service.read({
  operation: 'queryDoctorCardTask',
  label: '查询名片生成进度',
  access: edit,
  input: { taskId: field('任务', id) },
  output: z.strictObject({
    taskId: idOut,
    taskNo: z.string(),
    total: z.int(),
    done: z.int(),
    state: z.enum(['RUNNING', 'DONE', 'PARTIAL']),
    failures: rowOutcomes,
  }),
});
export const disableDoctorCard = service.act({
  operation: 'disableDoctorCard',
  label: '停用医生名片',
  access: edit,
  input: { doctorId: field('医生', id), version, opinion: z.optional(text('意见', 500)) },
  output: actionAnswer,
});
export const downloadDoctorCard = service.file({
  operation: 'downloadDoctorCard',
  label: '下载医生名片',
  access: view,
  input: { doctorId: field('医生', id), part: field('图片类型', z._default(z.enum(['CARD', 'POSTER'], '图片类型不正确'), 'POSTER')) },
  output: z.strictObject({ count: z.int() }),
});
/** Cards and posters of many doctors as one archive in the download centre. */
export const exportDoctorCardZip = service.act({
  operation: 'exportDoctorCardZip',
  label: '打包下载医生名片',
  access: view,
  log: 'EXPORT',
  input: { doctorIds },
  output: exportQueued,
});
