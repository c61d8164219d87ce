import * as z from 'zod/mini';
import { ordered } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { day, dayOut, id, idOut, opinion, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { lineLabels } from '../labels.ts';
import { pharmaPermissions as may } from '../permissions.ts';
import { lineMachine } from '../states.ts';
import { ADDED, CHANGED, DELETED, acted, declareService, maybe, nothing } from './declare.ts';

const service = declareService('ProductLineService');
const state = lineMachine.dictionary.schema;
const wholeDays = z.pipe(
  z.union([z.number(), z.string()]),
  z.pipe(z.transform(Number), z.int('天数须为整数').check(z.minimum(0, '天数不能小于0'), z.maximum(3650, '天数过大'))),
);

const lineFilter = {
  companyId: field('药企', z.optional(id)),
  name: z.optional(text('产品线', 50)),
  therapyArea: z.optional(text('治疗领域', 50)),
  state: z.optional(several(state)),
  /** Cooperation ends within so many days. */
  expireWithin: field('到期天数', z.optional(wholeDays)),
};

const lineRow = z.strictObject({
  id: idOut,
  lineNo: field('产品线编号', z.string(), { width: 160 }),
  companyId: idOut,
  companyName: field('药企', z.string(), { width: 192 }),
  name: field('产品线', z.string(), { width: 192 }),
  therapyArea: field(lineLabels.therapyArea, z.string()),
  diseases: field(lineLabels.diseases, z.array(z.strictObject({ diseaseId: idOut, diseaseName: z.string() })), {
    width: 192,
    text: (diseases) => diseases.map(({ diseaseName }) => diseaseName).join('、'),
  }),
  startDate: field(lineLabels.startDate, dayOut),
  endDate: field(lineLabels.endDate, dayOut),
  /** Negative once it is over. */
  daysLeft: z.int(),
  ownerUserId: textOrNull,
  ownerName: field(lineLabels.ownerName, textOrNull),
  agreementFileIds: z.array(z.string()),
  remark: field(lineLabels.remark, textOrNull, { width: 240 }),
  medicineCount: field('药品数', z.int()),
  agentCount: field('代表数', z.int()),
  state: field('状态', state),
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.int(),
});
export type LineRow = z.output<typeof lineRow>;

const fields = {
  name: text('产品线名称', 50, 1),
  therapyArea: text('治疗领域', 50, 1),
  diseaseIds: field('病种', z._default(z.array(id).check(z.maxLength(50, '病种最多50个')), [])),
  startDate: field('合作开始', day),
  endDate: field('合作结束', day),
  ownerUserId: field('商务负责人', maybe(id)),
  agreementFileIds: field('协议', z._default(z.array(id).check(z.maxLength(10, '协议最多10个文件')), [])),
  remark: maybe(text('备注', 500)),
};
const inOrder = ordered('startDate', 'endDate', '合作结束日期不能早于开始日期');

export const queryProductLineList = service.list({
  operation: 'queryProductLineList',
  label: '查询药企产品线',
  access: may['line.view'],
  filter: { ...lineFilter, ...sortedBy('lineNo', 'startDate', 'endDate', 'medicineCount', 'agentCount') },
  output: lineRow,
});
export const queryProductLineDetail = service.read({
  operation: 'queryProductLineDetail',
  label: '查询药企产品线详情',
  access: may['line.view'],
  input: { lineId: field('产品线', id) },
  output: z.strictObject({
    line: lineRow,
    medicines: z.array(
      z.strictObject({
        medicineId: idOut,
        medicineNo: z.string(),
        genericName: z.string(),
        brandName: textOrNull,
        strength: textOrNull,
        startDate: z.string(),
        endDate: textOrNull,
        /** In force today or later. */
        bound: z.boolean(),
      }),
    ),
    agents: z.array(z.strictObject({ agentId: idOut, agentNo: z.string(), name: z.string(), rank: z.string(), state: z.string() })),
    timeline: trail,
  }),
});
export const addProductLine = service.act({
  operation: 'addProductLine',
  label: '新增药企产品线',
  access: may['line.edit'],
  ...ADDED,
  input: z.strictObject({ companyId: field('药企', id), ...fields }).check(inOrder),
  output: lineRow,
});
export const modifyProductLine = service.act({
  operation: 'modifyProductLine',
  label: '修改药企产品线',
  access: may['line.edit'],
  ...CHANGED,
  input: z.strictObject({ id, version, ...fields }).check(inOrder),
  output: lineRow,
});
export const changeProductLineState = service.act({
  operation: 'changeProductLineState',
  label: '终止药企产品线',
  access: may['line.state'],
  ...CHANGED,
  input: { id, version, action: field('操作', z.enum(['stop'], '操作不正确')), opinion: z.optional(opinion) },
  output: acted(state),
});
export const renewProductLine = service.act({
  operation: 'renewProductLine',
  label: '续约药企产品线',
  access: may['line.state'],
  message: '续约成功',
  input: {
    id,
    version,
    endDate: field('新的合作结束日期', day),
    agreementFileIds: field('续约协议', z._default(z.array(id).check(z.maxLength(10, '协议最多10个文件')), [])),
  },
  output: lineRow,
});
export const delProductLine = service.act({
  operation: 'delProductLine',
  label: '删除药企产品线',
  access: may['line.edit'],
  ...DELETED,
  input: { id, version },
  output: nothing,
});
const many = (label: string) =>
  field(label, z.array(id, `请选择${label}`).check(z.minLength(1, `请选择${label}`), z.maxLength(500, `一次最多500个${label}`)));
export const bindLineMedicine = service.act({
  operation: 'bindLineMedicine',
  label: '产品线绑定药品',
  access: may['line.edit'],
  ...CHANGED,
  input: { id, version, medicineIds: many('药品') },
  output: lineRow,
});
export const unbindLineMedicine = service.act({
  operation: 'unbindLineMedicine',
  label: '产品线解绑药品',
  access: may['line.edit'],
  ...CHANGED,
  input: { id, version, medicineIds: many('药品') },
  output: lineRow,
});
/** The agents who serve the line from now on: all of them, the list replaces the former one. */
export const bindLineAgent = service.act({
  operation: 'bindLineAgent',
  label: '产品线绑定代表',
  access: may['line.edit'],
  ...CHANGED,
  input: { id, version, agentIds: field('代表', z.array(id).check(z.maxLength(2000, '代表过多'))) },
  output: lineRow,
});
export const exportProductLineList = exportOf(queryProductLineList, {
  operation: 'exportProductLineList',
  label: '导出药企产品线',
  access: may['line.export'],
});
