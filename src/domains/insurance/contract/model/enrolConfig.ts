import * as z from 'zod/mini';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { field } from '#kernel/contract/field.ts';
import { text } from '#kernel/contract/fields.ts';
import { materialTypes, MOST_MATERIALS } from '../businessLines.ts';

const payModes = dictionary('insurance.enrolPayMode', { NONE: '免费', PLATFORM: '用户支付', SPONSOR: '单位支付' });
const reviewLevels = dictionary('insurance.reviewLevels', { ONE: '一级审核', TWO: '两级审核', INSURER: '平台审核后保司确认' });
export const hospitalGrades = dictionary('insurance.hospitalGrade', { ANY: '不限', GRADE2: '二级及以上', GRADE3: '三级' });

const days = (label: string, most: number, least = 0) =>
  field(label, z.int(`${label}须为整数`).check(z.minimum(least, `${label}不能小于${least}`), z.maximum(most, `${label}不能大于${most}`)));

/** How somebody gets into the product: what is asked of him, who looks at it, what it costs and how long it holds. */
export const enrolConfig = z.strictObject({
  requiredMaterials: field('必备材料', z.array(materialTypes.schema).check(z.maxLength(MOST_MATERIALS))),
  /** Questions that a person answers, beside what the machine checks. */
  checklist: field(
    '审核要点',
    z
      .array(
        z.strictObject({
          checkCode: field('要点编码', z.string().check(z.regex(/^[A-Z0-9_]{2,24}$/, '要点编码须为2-24位大写字母、数字或下划线'))),
          question: text('审核要点', 100, 1),
          hard: field('硬性', z.boolean()),
        }),
      )
      .check(z.maxLength(30, '最多30个审核要点')),
  ),
  ageMin: days('最小年龄', 120),
  ageMax: days('最大年龄', 120),
  reviewLevels: field('审核级别', reviewLevels.schema),
  sampleBp: field('抽检比例', z.int().check(z.minimum(0, '抽检比例不能小于0'), z.maximum(10_000, '抽检比例不能大于100%')), {
    kind: 'rate',
  }),
  minHospitalGrade: field('医院等级', hospitalGrades.schema),
  payMode: field('服务费支付', payModes.schema),
  feeFen: field('服务费', z.int('请输入服务费').check(z.minimum(0, '服务费不能为负')), { kind: 'money' }),
  prorated: field('按天折算', z.boolean()),
  termMonths: days('合同期（月）', 120, 1),
  coolingOffDays: days('犹豫期（天）', 60),
  followUpDays: field('复查周期（天）', z.nullable(days('复查周期（天）', 366, 7))),
});
export type EnrolConfig = z.output<typeof enrolConfig>;

export const defaultEnrolConfig: EnrolConfig = {
  requiredMaterials: ['ID_CARD', 'DIAGNOSIS', 'PRESCRIPTION'],
  checklist: [],
  ageMin: 0,
  ageMax: 120,
  reviewLevels: 'ONE',
  sampleBp: 0,
  minHospitalGrade: 'GRADE2',
  payMode: 'NONE',
  feeFen: 0,
  prorated: false,
  termMonths: 12,
  coolingOffDays: 15,
  followUpDays: null,
};

export const enrolDictionaries = [payModes, reviewLevels, hospitalGrades];
