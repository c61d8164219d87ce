import * as z from 'zod/mini';
import { declareService, rowOutcomes } from '#kernel/contract/service.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { dayOut, flag, id, idOut, several, textOrNull, personName } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { certTypes, titles } from '../dictionaries.ts';
import { doctorPermissions as may } from '../permissions.ts';
import { certMachine, qualMachine } from '../states.ts';

const service = declareService('ApproveService');
const certFilters = {
  certType: field('证件类型', z.optional(several(certTypes.schema))),
  /** Ends within so many days. */
  days: field(
    '到期天数',
    z._default(
      z.pipe(
        z.union([z.number(), z.string()]),
        z.pipe(z.transform(Number), z.int('天数不正确').check(z.minimum(0, '天数不正确'), z.maximum(90, '最多90天'))),
      ),
      60,
    ),
  ),
  /** Only ended ones, or only those still in force; absent: both. */
  expired: field('已过期', z.optional(flag)),
  name: z.optional(personName('姓名', 30)),
  hospitalId: field('医院', z.optional(id)),
};
const certExpireRow = z.strictObject({
  certId: idOut,
  doctorId: idOut,
  doctorNo: field('医生编号', z.string(), { width: 160 }),
  name: field('医生', z.string()),
  titleCode: field('职称', z.nullable(titles.schema)),
  hospitalName: field('医院', textOrNull, { width: 240 }),
  departmentName: field('科室', textOrNull, { width: 128 }),
  qualState: field('认证状态', qualMachine.dictionary.schema),
  certType: field('证件', certTypes.schema),
  certNo: field('证件编号', textOrNull, { width: 240 }),
  validTo: field('有效期止', dayOut),
  daysLeft: field('剩余天数', z.int()),
  state: field('状态', certMachine.dictionary.schema),
  lastReminded: field('最近自动提醒（到期前天数）', z.nullable(z.int()), { width: 224 }),
  remindedOn: field('人工提醒', z.nullable(dayOut)),
  openApplyId: textOrNull,
});
export type CertExpireRow = z.output<typeof certExpireRow>;

export const queryCertExpireList = service.list({
  operation: 'queryCertExpireList',
  label: '查询到期证件',
  access: may['qual.view'],
  filter: certFilters,
  output: certExpireRow,
});
export const exportCertExpireList = exportOf(queryCertExpireList, {
  operation: 'exportCertExpireList',
  label: '导出到期证件',
  access: may['qual.export'],
});
/** Once a day for each certificate. */
export const remindCert = service.act({
  operation: 'remindCert',
  label: '发送证件到期提醒',
  access: may['qual.enter'],
  message: '发送成功!',
  input: { certIds: field('证件', z.array(id, '请选择证件').check(z.minLength(1, '请选择证件'), z.maxLength(200, '最多选择200份证件'))) },
  output: rowOutcomes,
});
