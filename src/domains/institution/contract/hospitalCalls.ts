import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { answered } from '#kernel/contract/answered.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field, keysOf } from '#kernel/contract/field.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import {
  day,
  flag,
  id,
  idOut,
  instant,
  instantOut,
  numberOrNull,
  optionalText,
  rateOut,
  several,
  text,
  textOrNull,
  version,
  int4,
  wholeText,
} from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { trail } from '#kernel/contract/trail.ts';
import {
  aliasKinds,
  hospitalKinds,
  hospitalLevels,
  hospitalSources,
  licenceStates,
  licenceTypes,
  ownerships,
  qualityIssues,
} from './dictionaries.ts';
import { adcode, at, hospitalNhsa, latE6, licenceNoOrNull, lngE6, phone, usccOrNull } from './fields.ts';
import { institutionMachinePermissions as machine, institutionPermissions as may } from './permissions.ts';
import { hospitalMachine, mergeMachine } from './states.ts';

const service = declareService('HospitalService');
const gateway = declareService('HospitalService', 'gateway');
const state = hospitalMachine.dictionary.schema;

/** What a hospital is entered with; one place for form, application, import, list and detail. */
export const hospitalFacts = {
  name: field('医院名称', text('医院名称', 100, 2), { width: 260, example: '与执照一致' }),
  shortName: optionalText('简称', 30),
  level: field('等级', hospitalLevels.schema),
  kind: field('类型', hospitalKinds.schema, { width: 110 }),
  ownership: field('性质', ownerships.schema),
  adcode: field('地区', adcode),
  address: field('地址', optionalText('地址', 200), { width: 220 }),
  lngE6: field('经度', z._default(lngE6, null)),
  latE6: field('纬度', z._default(latE6, null)),
  uscc: field('统一社会信用代码', usccOrNull, { width: 190 }),
  licenceNo: field('许可证号', licenceNoOrNull, { width: 200 }),
  licenceValidTo: field('许可证有效期', z._default(z.nullable(day), null)),
  nhsaCode: field('医保编码', hospitalNhsa, { width: 130, example: 'H33010000001' }),
  phone: field('电话', phone, { width: 130, example: '0571-87065701' }),
  website: field('官网', z._default(text('官网', 200).check(z.regex(/^(https?:\/\/\S+)?$/, '官网须以http://或https://开头')), ''), {
    width: 200,
    example: 'https://',
  }),
  introduction: optionalText('介绍', 2000),
  parentId: field('所属主院', z._default(z.nullable(id), null)),
  campusName: field('院区名称', optionalText('院区名称', 50), { example: '如 湖滨院区' }),
  logoFileId: field('院徽', z._default(z.nullable(id), null)),
};
export const hospitalFactsInput = z.strictObject(hospitalFacts);
export type HospitalFacts = z.output<typeof hospitalFactsInput>;
export const hospitalLabels = labelsOf(hospitalFacts);
export const hospitalFactKeys = keysOf(hospitalFacts);

const hospitalFilters = {
  keyword: z.optional(text('关键字', 50)),
  hospitalNo: z.optional(wholeText('医院编号', 30)),
  uscc: z.optional(wholeText('信用代码', 18)),
  level: field('等级', z.optional(several(hospitalLevels.schema))),
  kind: field('类型', z.optional(several(hospitalKinds.schema))),
  ownership: field('性质', z.optional(ownerships.schema)),
  adcode: z.optional(adcode),
  parentId: field('所属主院', z.optional(id)),
  state: z.optional(several(state)),
  issue: field('质量问题', z.optional(several(qualityIssues.schema))),
  source: field('来源', z.optional(hospitalSources.schema)),
  updatedFrom: field('更新时间起', z.optional(instant)),
  updatedTo: field('更新时间止', z.optional(instant)),
  hasCoordinates: field('有无坐标', z.optional(flag)),
  hasDoctors: field('有无医生', z.optional(flag)),
};

const hospitalRow = z.strictObject({
  id: idOut,
  hospitalNo: field('医院编号', z.string(), { width: 160 }),
  ...answered(hospitalFacts),
  region: field('地区', z.string(), { width: 190 }),
  cityAdcode: z.string(),
  city: z.string(),
  parentName: field('所属主院', textOrNull, { width: 220 }),
  source: field('来源', hospitalSources.schema),
  state: field('状态', state, { width: 80 }),
  doctorCount: field('医生数', z.int(), { width: 80 }),
  departmentCount: field('科室数', z.int(), { width: 80 }),
  aliasCount: field('别名数', z.int(), { width: 80 }),
  qualityScoreBp: field('数据质量', rateOut),
  qualityIssues: field('质量问题', z.array(qualityIssues.schema), { width: 240 }),
  version: z.int(),
  updatedAt: field('更新时间', instantOut),
  updatedBy: field('更新人', textOrNull, { width: 100 }),
});
export type HospitalRow = z.output<typeof hospitalRow>;

export const queryHospitalList = service.list({
  operation: 'queryHospitalList',
  label: '查询医院列表',
  access: may['hospital.view'],
  filter: { ...hospitalFilters, ...sortedBy('hospitalNo', 'name', 'doctorCount', 'qualityScoreBp', 'updatedAt') },
  output: hospitalRow,
});

export const exportHospitalList = exportOf(queryHospitalList, {
  operation: 'exportHospitalList',
  label: '导出医院',
  access: may['hospital.export'],
});

/** Hospitals per issue and per city, for the quality cards and the map. */
export const queryHospitalCounts = service.read({
  operation: 'queryHospitalCounts',
  label: '统计医院',
  access: may['hospital.view'],
  input: hospitalFilters,
  output: z.strictObject({
    issueCounts: z.array(z.strictObject({ issue: qualityIssues.schema, count: z.int() })),
    cities: z.array(
      z.strictObject({
        cityAdcode: z.string(),
        city: z.string(),
        count: z.int(),
        located: z.int(),
        lngE6: numberOrNull,
        latE6: numberOrNull,
      }),
    ),
  }),
});

const alias = z.strictObject({ id: idOut, name: z.string(), kind: aliasKinds.schema, sourceCode: textOrNull, externalId: textOrNull });
const licenceOut = z.strictObject({
  id: idOut,
  licenceType: licenceTypes.schema,
  licenceNo: z.string(),
  holder: z.string(),
  validFrom: z.string(),
  validTo: textOrNull,
  state: licenceStates.schema,
});

export const hospitalDetail = z.strictObject({
  id: idOut,
  hospitalNo: z.string(),
  ...answered(hospitalFacts),
  state,
  version: z.int(),
  region: z.string(),
  cityAdcode: z.string(),
  parentName: field('所属主院', textOrNull),
  source: field('来源', hospitalSources.schema),
  doctorCount: field('医生数', z.int()),
  contractCount: z.int(),
  qualityScoreBp: rateOut,
  qualityIssues: z.array(qualityIssues.schema),
  aliases: z.array(alias),
  campuses: z.array(
    z.strictObject({ id: idOut, hospitalNo: z.string(), name: z.string(), campusName: z.string(), state, address: z.string() }),
  ),
  departments: z.array(
    z.strictObject({ id: idOut, name: z.string(), standardDeptCode: textOrNull, standardDeptName: textOrNull, doctorCount: z.int() }),
  ),
  licences: z.array(licenceOut),
  merges: z.array(
    z.strictObject({
      mergeId: idOut,
      mergeNo: z.string(),
      loserId: idOut,
      loserName: z.string(),
      state: mergeMachine.dictionary.schema,
      createdAt: at,
      doneAt: textOrNull,
    }),
  ),
  /** The id that was asked for, when it belongs to a hospital that was merged into this one. */
  mergedFrom: z.nullable(z.strictObject({ hospitalId: idOut, name: z.string() })),
  allowedActions: z.array(z.string()),
  createdAt: at,
  updatedAt: at,
  updatedBy: textOrNull,
  trail,
});

export const queryHospitalDetail = service.read({
  operation: 'queryHospitalDetail',
  label: '查询医院详情',
  access: may['hospital.view'],
  input: { hospitalId: field('医院', id) },
  output: hospitalDetail,
});

const confirmNotDuplicate = field('非重复医院', z._default(z.array(id).check(z.maxLength(200, '候选过多')), []));
export const addHospital = service.act({
  operation: 'addHospital',
  label: '新增医院',
  access: may['hospital.edit'],
  message: '新增成功!',
  input: { ...hospitalFacts, confirmNotDuplicate },
  output: actionAnswer,
});
export const modifyHospital = service.act({
  operation: 'modifyHospital',
  label: '编辑医院',
  access: may['hospital.edit'],
  message: '修改成功!',
  input: { id, version, ...hospitalFacts },
  output: actionAnswer,
});
export const delHospital = service.act({
  operation: 'delHospital',
  label: '删除医院',
  access: may['hospital.delete'],
  message: '删除成功!',
  input: { id, version },
  output: z.strictObject({}),
});
export const changeHospitalState = service.act({
  operation: 'changeHospitalState',
  label: '停用、启用医院',
  access: may['hospital.state'],
  message: '修改成功!',
  input: { id, version, action: field('操作', z.enum(['disable', 'enable'], '操作不正确')), opinion: z.optional(text('意见', 500)) },
  output: actionAnswer,
});
export const modifyHospitalLevel = service.act({
  operation: 'modifyHospitalLevel',
  label: '修改医院等级',
  access: may['hospital.edit'],
  message: '修改成功!',
  input: { id, version, level: field('等级', hospitalLevels.schema), opinion: text('依据', 500, 2) },
  output: actionAnswer,
});
export const addHospitalAlias = service.act({
  operation: 'addHospitalAlias',
  label: '新增医院别名',
  access: may['hospital.edit'],
  message: '新增成功!',
  input: {
    hospitalId: field('医院', id),
    name: text('别名', 100, 1),
    kind: field('别名类型', z.enum(['FORMER', 'SHORT', 'CAMPUS'], '请选择别名类型')),
  },
  output: alias,
});
export const delHospitalAlias = service.act({
  operation: 'delHospitalAlias',
  label: '删除医院别名',
  access: may['hospital.edit'],
  message: '删除成功!',
  input: { hospitalId: field('医院', id), aliasId: field('别名', id) },
  output: z.strictObject({}),
});

export const hospitalOption = z.strictObject({
  value: idOut,
  label: z.string(),
  level: hospitalLevels.schema,
  city: z.string(),
  address: z.string(),
});
export const querySelectOptions = service.read({
  operation: 'querySelectOptions',
  label: '查询医院选项',
  method: 'GET',
  access: access.session,
  input: {
    keyword: z.optional(text('关键字', 50)),
    adcode: z.optional(adcode),
    ids: field('选项', z.optional(several(id, 50))),
    minRank: field('最低等级', z.optional(z.pipe(z.union([z.number(), z.string()]), z.pipe(z.transform(Number), int4('等级不正确'))))),
    limit: field(
      '条数',
      z._default(
        z.pipe(
          z.union([z.number(), z.string()]),
          z.pipe(z.transform(Number), z.int('条数不正确').check(z.minimum(1, '条数不正确'), z.maximum(50, '最多50条'))),
        ),
        20,
      ),
    ),
  },
  output: z.array(hospitalOption),
});
export const searchHospital = gateway.read({
  operation: 'searchHospital',
  label: '查询医院（系统）',
  access: access.signed(machine.search, 'MINI_APP'),
  input: { keyword: text('关键字', 50, 1), adcode: z.optional(adcode) },
  output: z.array(hospitalOption),
});
