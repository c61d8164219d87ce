import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { id, idOut, paging, smallCode, text, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { corpusPermissions } from './permissions.ts';
import { blankOr, looseText } from './wire.ts';

export const diseaseRow = z.strictObject({
  /** The same value twice: the specification shows both names. */
  id: idOut,
  diseaseId: idOut,
  diseaseCode: z.string(),
  diseaseName: z.string(),
  icd10Prefixes: z.array(z.string()),
  /** 1 = in the corpus, 0 = in the dictionary only. */
  available: z.literal([0, 1]),
  sortNo: z.int(),
  version: z.int(),
  sceneCount: z.int(),
  /** Scenes whose package is running. */
  runningCount: z.int(),
});
export type DiseaseRow = z.output<typeof diseaseRow>;

const base = { host: 'admin', service: 'DiseaseInfoService' } as const;
const mayEdit = access.permission(corpusPermissions['disease.edit']);

export const queryDiseaseList = call({
  ...base,
  operation: 'queryDiseaseList',
  shape: 'list',
  kind: 'query',
  input: z.strictObject({
    ...paging,
    available: blankOr(smallCode('是否启用', [0, 1] as const)),
    diseaseName: blankOr(text('病种名称', 64)),
  }),
  output: diseaseRow,
  access: access.permission(corpusPermissions['corpus.view']),
  label: '查询病种',
  silent: true,
});

export const addDiseaseInfo = call({
  ...base,
  operation: 'addDiseaseInfo',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({
    Id: field('病种', blankOr(id)),
    diseaseCode: field('病种编码', looseText),
    diseaseName: field('病种名称', looseText),
  }),
  output: diseaseRow,
  access: mayEdit,
  label: '新增病种',
  message: '添加成功',
  silent: true,
});

export const delDiseaseInfo = call({
  ...base,
  operation: 'delDiseaseInfo',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({ id }),
  output: z.strictObject({}),
  access: mayEdit,
  label: '删除病种',
  message: '删除成功!',
  silent: true,
});

export const icd10Prefix = z
  .string('ICD-10前缀格式不正确')
  .check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]\d{2}(\.\d{1,3})?$/, 'ICD-10前缀应如E11或C34.9'));

export const modifyDiseaseInfo = call({
  ...base,
  operation: 'modifyDiseaseInfo',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({
    id,
    diseaseName: text('病种名称', 64, 1),
    icd10Prefixes: field(
      'ICD-10前缀',
      z.array(icd10Prefix).check(z.minLength(1, '请至少填写一个ICD-10前缀'), z.maxLength(30, 'ICD-10前缀最多30个')),
    ),
    version,
  }),
  output: diseaseRow,
  access: mayEdit,
  label: '修改病种字典',
  message: '修改成功!',
});

/** Code of the dictionary's importer. */
export const DISEASE_IMPORTER = 'corpus.disease';

export const importDiseaseInfo = call({
  ...base,
  operation: 'importDiseaseInfo',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({
    fileId: field('导入文件', id),
    mode: field('导入方式', z._default(z.enum(['ALL_OR_NOTHING', 'VALID_ONLY'], '导入方式不正确'), 'ALL_OR_NOTHING')),
  }),
  output: z.strictObject({ importTaskId: idOut, batchNo: z.string() }),
  access: mayEdit,
  label: '导入病种字典',
  log: 'IMPORT',
});
