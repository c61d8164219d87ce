import * as z from 'zod/mini';
import { id, idOut, smallCode, text, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { corpusPermissions } from './permissions.ts';
import { blankOr, looseText } from './wire.ts';

const diseaseRow = z.strictObject({
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

const service = declareService('DiseaseInfoService');
const mayEdit = corpusPermissions['disease.edit'];

export const queryDiseaseList = service.list({
  operation: 'queryDiseaseList',
  label: '查询病种',
  access: corpusPermissions['corpus.view'],
  silent: true,
  filter: { available: blankOr(smallCode('是否启用', [0, 1] as const)), diseaseName: blankOr(text('病种名称', 64)) },
  output: diseaseRow,
});

export const addDiseaseInfo = service.act({
  operation: 'addDiseaseInfo',
  label: '新增病种',
  access: mayEdit,
  message: '添加成功',
  silent: true,
  input: { Id: field('病种', blankOr(id)), diseaseCode: field('病种编码', looseText), diseaseName: field('病种名称', looseText) },
  output: diseaseRow,
});

export const delDiseaseInfo = service.act({
  operation: 'delDiseaseInfo',
  label: '删除病种',
  access: mayEdit,
  message: '删除成功!',
  silent: true,
  input: { id },
  output: z.strictObject({}),
});

export const icd10Prefix = z
  .string('ICD-10前缀格式不正确')
  .check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]\d{2}(\.\d{1,3})?$/, 'ICD-10前缀应如E11或C34.9'));

export const modifyDiseaseInfo = service.act({
  operation: 'modifyDiseaseInfo',
  label: '修改病种字典',
  access: mayEdit,
  message: '修改成功!',
  input: {
    id,
    diseaseName: text('病种名称', 64, 1),
    icd10Prefixes: field(
      'ICD-10前缀',
      z.array(icd10Prefix).check(z.minLength(1, '请至少填写一个ICD-10前缀'), z.maxLength(30, 'ICD-10前缀最多30个')),
    ),
    version,
  },
  output: diseaseRow,
});

/** Code of the dictionary's importer. */
export const DISEASE_IMPORTER = 'corpus.disease';

export const importDiseaseInfo = service.act({
  operation: 'importDiseaseInfo',
  label: '导入病种字典',
  access: mayEdit,
  log: 'IMPORT',
  input: {
    fileId: field('导入文件', id),
    mode: field('导入方式', z._default(z.enum(['ALL_OR_NOTHING', 'VALID_ONLY'], '导入方式不正确'), 'ALL_OR_NOTHING')),
  },
  output: z.strictObject({ importTaskId: idOut, batchNo: z.string() }),
});
