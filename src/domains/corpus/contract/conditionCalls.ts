import * as z from 'zod/mini';
import { id, idOut, smallCode } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { basicOperators } from '#kernel/contract/rules/rule.ts';
import { declareService } from '#kernel/contract/service.ts';
import { corpusPermissions } from './permissions.ts';
import { blankOr, expTypeIn, looseText } from './wire.ts';

const variableInfo = declareService('VariableInfoService');

/** A row as sent: emptiness is refused with the domain's own text, so every field may be missing here. */
const conditionRowIn = z.strictObject({
  role: blankOr(smallCode('角色', [1, 2, 3] as const)),
  variableName: field('变量名称', looseText),
  variableId: field('变量', blankOr(id)),
  operatorValue: field('运算符', looseText),
  conditionValue: field(
    '条件值',
    z.pipe(
      z.optional(z.nullable(z.union([z.string(), z.number()], '条件值不正确'))),
      z.transform((value) => (value === null || value === undefined ? '' : String(value).trim())),
    ),
  ),
  scenePackageId: field('场景包', blankOr(id)),
  checked: blankOr(smallCode('是否生效', [0, 1] as const)),
  groupNo: blankOr(smallCode('条件组', [1, 2, 3, 4, 5] as const)),
});
export type ConditionRowIn = z.output<typeof conditionRowIn>;

export const conditionRowsIn = field('明细', z.array(conditionRowIn).check(z.maxLength(30, '条件最多30行')));

/** A stored row; it can be sent back as it is. */
export const conditionRow = z.strictObject({
  role: z.literal([1, 2, 3]),
  variableName: z.string(),
  variableId: idOut,
  operatorValue: z.enum(basicOperators),
  conditionValue: z.string(),
  scenePackageId: idOut,
  checked: z.literal([0, 1]),
  groupNo: z.literal([1, 2, 3, 4, 5]),
});
export type ConditionRow = z.output<typeof conditionRow>;

const conditionSet = z.strictObject({
  /** Empty before the first save. */
  id: z.string(),
  /** 0 before the first save; travels back as `If-Match`. */
  version: z.int(),
  rows: z.array(conditionRow),
});
export type ConditionSet = z.output<typeof conditionSet>;

const service = declareService('SceneConditionService');

export const addOrModifyConditionIdDataList = service.act({
  operation: 'addOrModifyConditionIdDataList',
  label: '保存场景条件',
  access: corpusPermissions['scene.edit'],
  message: '修改成功!',
  silent: true,
  input: {
    diseaseId: field('病种', id),
    scenePackageId: field('场景包', id),
    expType: expTypeIn,
    id: blankOr(id),
    dataDetail: conditionRowsIn,
  },
  output: conditionSet,
});

export const queryConditionIdDataList = service.read({
  operation: 'queryConditionIdDataList',
  label: '查询场景条件',
  access: corpusPermissions['corpus.view'],
  silent: true,
  input: { scenePackageId: field('场景包', id), expType: expTypeIn },
  output: conditionSet,
});

const variableRow = z.strictObject({
  variableId: idOut,
  variableCode: z.string(),
  variableName: z.string(),
  /** 1 patient, 2 doctor, 3 assistant. */
  userType: z.literal([1, 2, 3]),
  /** 1 for conditions, 2 for message texts, 3 for both. */
  variableInfoFlag: z.literal([1, 2, 3]),
  valueType: z.enum(['NUMBER', 'OPTION']),
  unit: z.string(),
  decimals: z.int(),
  operators: z.array(z.enum(['>', '<', '=', '>=', '<=', 'range'])),
  options: z.array(z.strictObject({ value: z.string(), label: z.string() })),
  /** Its value moves with the date even when nothing happens. */
  timeDerived: z.boolean(),
  source: z.string(),
});
export type VariableRow = z.output<typeof variableRow>;

export const queryVariableInfoDataList = variableInfo.list({
  operation: 'queryVariableInfoDataList',
  label: '查询变量',
  access: corpusPermissions['corpus.view'],
  silent: true,
  filter: {
    variableInfoFlag: blankOr(smallCode('变量用途', [1, 2, 3] as const)),
    userType: blankOr(smallCode('角色', [1, 2, 3] as const)),
  },
  output: variableRow,
});
