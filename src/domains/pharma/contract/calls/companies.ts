import * as z from 'zod/mini';
import { mobileForm } from '#kernel/contract/plainText.ts';
import { isUscc } from '#kernel/contract/uscc.ts';
import { between, coded } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  day,
  dayOut,
  id,
  idOut,
  instantOut,
  opinion,
  several,
  text,
  textOrNull,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { countries, countryName } from '../countries.ts';
import { companyRoles } from '../dictionaries.ts';
import { pharmaErrors } from '../errors.ts';
import { companyLabels } from '../labels.ts';
import { pharmaPermissions as may } from '../permissions.ts';
import { companyMachine } from '../states.ts';
import { ADDED, CHANGED, DELETED, acted, declareService, maybe, nothing } from './declare.ts';

const service = declareService('PharmaCompanyService');
const state = companyMachine.dictionary.schema;

const companyFilter = {
  companyNo: z.optional(wholeText('药企编号', 30)),
  name: z.optional(text('药企名称', 100)),
  roles: field('角色', z.optional(several(companyRoles.schema))),
  uscc: z.optional(wholeText('信用代码', 18)),
  state: z.optional(several(state)),
};

const email = z
  .string()
  .check(z.trim(), z.maxLength(100, '邮箱最多100个字符'), z.regex(/^$|^[^\s@]+@[^\s@]+\.[^\s@]+$/, '请输入正确的邮箱'));

/** 药物警戒联系人. */
export const pvContactInput = z.strictObject({
  name: maybe(personName('药物警戒联系人', 30)),
  email: field('药物警戒联系邮箱', maybe(email)),
  phone: maybe(text('药物警戒联系电话', 30)),
});
const pvContact = { name: textOrNull, email: textOrNull, phone: textOrNull };

const companyRow = z.strictObject({
  id: idOut,
  companyNo: field('药企编号', z.string(), { width: 160 }),
  name: field(companyLabels.name, z.string(), { width: 240 }),
  shortName: field(companyLabels.shortName, z.string()),
  namePinyin: z.string(),
  roles: field(companyLabels.roles, z.array(companyRoles.schema), { width: 192 }),
  uscc: field(companyLabels.uscc, textOrNull, { width: 176 }),
  country: field(companyLabels.country, z.string(), { text: countryName }),
  logoFileId: textOrNull,
  contactName: field(companyLabels.contactName, textOrNull),
  /** Masked. */
  contactMobile: field(companyLabels.contactMobile, textOrNull),
  contactEmail: textOrNull,
  address: textOrNull,
  pvContact: z.strictObject(pvContact),
  licenceFileIds: z.array(z.string()),
  licenceValidTo: field(companyLabels.licenceValidTo, z.nullable(dayOut)),
  lineCount: field('产品线数', z.int()),
  medicineCount: field('药品数', z.int()),
  agentCount: field('代表数', z.int()),
  state: field('状态', state),
  createdAt: field('创建时间', instantOut),
  updatedAt: z.string(),
  version: z.int(),
});
export type CompanyRow = z.output<typeof companyRow>;

const fields = {
  name: text('药企名称', 100, 1),
  shortName: text('药企简称', 20, 1),
  roles: field(
    '角色',
    z.array(companyRoles.schema, '请至少选择一个角色').check(z.minLength(1, '请至少选择一个角色'), z.maxLength(4, '角色过多')),
  ),
  country: field(
    '国家或地区',
    z._default(
      z.string('请选择国家或地区').check(
        z.maxLength(2, '请选择国家或地区'),
        z.refine((code) => countries.some(([known]) => known === code), '请选择国家或地区'),
      ),
      'CN',
    ),
  ),
  uscc: field(
    '统一社会信用代码',
    maybe(
      z.string().check(
        z.trim(),
        z.toUpperCase(),
        z.maxLength(18, '统一社会信用代码为18位'),
        coded(pharmaErrors.USCC_INVALID, (code) => code === '' || isUscc(code)),
      ),
    ),
  ),
  logoFileId: field('企业标识', maybe(id)),
  contactName: maybe(personName('联系人', 30)),
  contactMobile: field('手机号', maybe(z.string().check(z.overwrite(mobileForm), z.regex(/^$|^1[3-9]\d{9}$/, '请输入11位手机号码')))),
  contactEmail: field('邮箱', maybe(email)),
  address: maybe(text('地址', 200)),
  pvContact: field('药物警戒联系人', maybe(pvContactInput)),
  licenceFileIds: field('资质文件', z._default(z.array(id).check(z.maxLength(10, '资质最多10个文件')), [])),
  licenceValidTo: field('资质有效期', maybe(day)),
};
const numbered = between<{ country: string; uscc?: string | null | undefined }>(
  ['country', 'uscc'],
  ({ country, uscc }) => country !== 'CN' || !!uscc,
  '请输入统一社会信用代码',
);

export const queryPharmaCompanyList = service.list({
  operation: 'queryPharmaCompanyList',
  label: '查询药企',
  access: may['company.view'],
  filter: { ...companyFilter, ...sortedBy('companyNo', 'name', 'lineCount', 'medicineCount', 'agentCount', 'licenceValidTo', 'createdAt') },
  output: z.strictObject({ ...companyRow.shape, /** Small picture, readable for a while. */ logoUrl: textOrNull }),
});
export const queryPharmaCompanyDetail = service.read({
  operation: 'queryPharmaCompanyDetail',
  label: '查询药企详情',
  access: may['company.view'],
  input: { companyId: field('药企', id) },
  output: z.strictObject({
    company: companyRow,
    lines: z.array(
      z.strictObject({ id: idOut, lineNo: z.string(), name: z.string(), startDate: z.string(), endDate: z.string(), state: z.string() }),
    ),
    medicines: z.array(
      z.strictObject({
        id: idOut,
        medicineNo: z.string(),
        genericName: z.string(),
        strength: textOrNull,
        approvalNo: textOrNull,
        state: z.string(),
      }),
    ),
    agents: z.array(z.strictObject({ id: idOut, agentNo: z.string(), name: z.string(), rank: z.string(), state: z.string() })),
    timeline: trail,
  }),
});
export const addPharmaCompany = service.act({
  operation: 'addPharmaCompany',
  label: '新增药企',
  access: may['company.edit'],
  ...ADDED,
  input: z.strictObject(fields).check(numbered),
  output: companyRow,
});
export const modifyPharmaCompany = service.act({
  operation: 'modifyPharmaCompany',
  label: '修改药企',
  access: may['company.edit'],
  ...CHANGED,
  input: z.strictObject({ id, version, ...fields }).check(numbered),
  output: companyRow,
});
export const changePharmaCompanyState = service.act({
  operation: 'changePharmaCompanyState',
  label: '停用、启用药企',
  access: may['company.state'],
  ...CHANGED,
  input: { id, version, action: field('操作', z.enum(['disable', 'enable'], '操作不正确')), opinion: z.optional(opinion) },
  output: acted(state),
});
export const delPharmaCompany = service.act({
  operation: 'delPharmaCompany',
  label: '删除药企',
  access: may['company.edit'],
  ...DELETED,
  input: { id, version },
  output: nothing,
});
export const exportPharmaCompanyList = exportOf(queryPharmaCompanyList, {
  operation: 'exportPharmaCompanyList',
  label: '导出药企',
  access: may['company.export'],
});
export const revealPharmaCompanyMobile = service.reveal({
  operation: 'revealPharmaCompanyMobile',
  label: '查看药企联系人手机号',
  access: may['sensitive.reveal'],
  input: {},
});
