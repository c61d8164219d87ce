import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { dayOr, instant, int4 } from '#kernel/contract/fields.ts';
import { claimTypes, materialTypes, MOST_MATERIALS } from '../businessLines.ts';

const MOST = 1_000_000_000_000;
const amount = z.int('金额须为整数分').check(z.minimum(0, '金额不能小于0'), z.maximum(MOST, '金额过大'));
const day = dayOr('请选择日期');
const code = z.string().check(z.minLength(1), z.maxLength(64));
/** One of what there is; none is an empty text. */
const chosen = (label: string) => field(label, z.string().check(z.minLength(1, `请选择${label}`), z.maxLength(64)));
const icd10 = z.array(z.string().check(z.maxLength(20))).check(z.maxLength(100, '诊断最多100个'));

/**
 * Values of rule variables: a text (numbers too), several texts, or nothing known. What is left out or null is missing (缺少变量), never zero.
 * Of the past they say what OTHER claims hold: the engine adds the earlier lines of the claim itself. `line.qty{n}d` is the quantity of the
 * medicine in the n days up to and with the line's own, for every window that a drug list declares; `line.sinceLastDays` the days since
 * its last purchase, `NEVER_BEFORE` where there was none.
 */
export const factsSchema = z.record(
  z.string().check(z.maxLength(60)),
  z.nullable(z.union([z.string().check(z.maxLength(200)), z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))])),
);

const lineInput = z.strictObject({
  lineNo: field('行号', z.int().check(z.minimum(1), z.maximum(999))),
  medicineId: chosen('药品'),
  serviceDate: field('购药日期', day),
  qtyMilli: field('数量', z.int().check(z.minimum(1, '数量须大于0'), z.maximum(1_000_000_000))),
  unitPriceFen: field('单价', amount),
  amountFen: field('金额', amount),
  socialSettled: field('已医保结算', z.boolean()),
  socialPaidFen: field('医保已付', z.nullable(amount)),
  otherPaidFen: field('其他补偿', z.nullable(amount)),
  monthsSinceFirstDose: field('距首次用药月数', z.nullable(z.int().check(z.minimum(0), z.maximum(999)))),
  facts: field('变量取值', factsSchema),
});
export type LineInput = z.output<typeof lineInput>;

const overrideKinds = ['EXCLUDE', 'QTY', 'UNIT_PRICE', 'AMOUNT'] as const;
const overrideInput = z.strictObject({
  lineNo: field('行号', int4()),
  kind: field('核减方式', z.enum(overrideKinds)),
  /** Thousandths for a quantity, fen for price and amount; without meaning for EXCLUDE. */
  value: field('核减值', z.nullable(amount)),
  reasonCode: field('核减原因', z.string().check(z.maxLength(8))),
  by: field('核减人', z.string().check(z.maxLength(40))),
});
export type OverrideInput = z.output<typeof overrideInput>;

/** All that the amounts of a claim depend on besides the contract and the controls. */
export const adjudicationInput = z.strictObject({
  at: field('理算时刻', instant),
  stage: field('环节', z.enum(['DIRECT', 'CLAIM'])),
  claim: field(
    '理赔',
    z.strictObject({
      claimType: field('理赔类型', claimTypes.schema),
      submittedOn: field('提交日期', day),
      firstDiagnosedOn: field('确诊日期', z.nullable(day)),
      icd10: field('诊断', icd10),
      hospitalId: field('医院', z.nullable(z.string())),
      hospitalInScope: field('医院在范围内', z.boolean()),
      materials: field('材料', z.array(materialTypes.schema).check(z.maxLength(MOST_MATERIALS, `材料最多${MOST_MATERIALS}种`))),
      socialPaidFen: field('医保已付（整案）', z.nullable(amount)),
      otherPaidFen: field('其他补偿（整案）', z.nullable(amount)),
    }),
  ),
  cover: field(
    '保障',
    z.strictObject({
      planCode: chosen('保障计划'),
      coverageStart: field('起保日期', day),
      coverageEnd: field('终保日期', day),
      continuousFrom: field('连续投保起始日', day),
      hasSocial: field('有医保', z.boolean()),
      preExistingIcd: field('既往症诊断', icd10),
      personId: field('被保人', code),
      familySubjectId: field('家庭', z.nullable(code)),
    }),
  ),
  lines: field('明细', z.array(lineInput).check(z.minLength(1, '请至少填写一行明细'), z.maxLength(200, '最多200行明细'))),
  /** Of other claims: posted and reserved, by account (`keys.ts`). An account that is not named was never used. */
  balances: field('已用额度', z.record(z.string().check(z.maxLength(160)), amount)),
  /** Service days that are among the balances of numbers of times (`CNT`): the same day is not counted again. */
  countedDays: field(
    '已计次的日期',
    z._default(z.record(z.string().check(z.maxLength(160)), z.array(day).check(z.maxLength(10_000, '日期最多10000个'))), {}),
  ),
  facts: field('变量取值', factsSchema),
  overrides: field('人工核减', z.array(overrideInput).check(z.maxLength(400))),
});
export type AdjudicationInput = z.output<typeof adjudicationInput>;
