import { dictionary } from '#kernel/contract/dictionary.ts';
import type { HandKind } from '../dictionaries.ts';

export const severities = dictionary('policy.severity', {
  HIGH: { label: '严重', tone: 'error' },
  MID: { label: '一般' },
  LOW: '提示',
});
export type Severity = (typeof severities.codes)[number];

export const checkCodes = dictionary('policy.abnormalCheck', {
  AB01: '保单期间异常',
  AB02: '疑似重复保单',
  AB03: '产品版本不符',
  AB04: '续保断档',
  AB05: '状态与日期不符',
  AB06: '有效保单无被保人',
  AB07: '人数与申报不符',
  AB08: '证件号错误',
  AB09: '证件与生日性别不符',
  AB10: '同证件不同姓名',
  AB11: '保障区间重叠',
  AB12: '区间超出保单',
  AB13: '主被保人缺失',
  AB14: '年龄超出计划',
  AB15: '计划不存在',
  AB16: '互斥产品重复在保',
  AB17: '无法触达',
  AB18: '手机号多人共用',
  AB19: '缺保费订单',
  AB20: '保费重算差异',
  AB21: '保费逾期',
  AB22: '到账未分配',
  AB23: '收付不平',
  AB24: '无保障签约',
  AB25: '无保障理赔',
  AB26: '赔付超保额',
  AB27: '批次停滞',
  AB28: '撤销未净',
  AB29: '缓存与区间不符',
  AB30: '批单序号断号',
  AB31: '使用数据滞后',
  AB32: '批单待审超期',
});
export type CheckCode = (typeof checkCodes.codes)[number];

export const subjectTypes = dictionary('policy.abnormalSubject', {
  policy: '保单',
  endorsement: '批单',
  insuredItem: '被保人',
  premiumOrder: '保费订单',
  receipt: '到账记录',
  batch: '清单批次',
  coverUse: '使用记录',
});
export type SubjectType = (typeof subjectTypes.codes)[number];

/** Who looks after what a check finds. */
export const ownerKinds = dictionary('policy.abnormalOwner', {
  INSURER: '保司保单运营',
  FINANCE: '财务',
  PRODUCT: '产品经理',
  SYSTEM: '系统负责人',
});
export type OwnerKind = (typeof ownerKinds.codes)[number];

interface CheckFacts {
  severity: Severity;
  /** Absent: the insurer's operator. */
  owner?: Exclude<OwnerKind, 'INSURER'>;
  /** Nobody may set it aside: money, cover and numbers must be right. */
  binding?: true;
  /** What lists keep of persons is computed anew with a button. */
  rebuilds?: true;
  /** Events that were not taken up are told once more with a button. */
  replays?: true;
  /** Endorsements that mend it. */
  fixes?: readonly HandKind[];
  /** How it is mended, step by step. */
  guide: readonly string[];
}

/** Every check with its severity and the way to mend what it finds. */
export const checkFacts: Readonly<Record<CheckCode, CheckFacts>> = {
  AB01: { severity: 'HIGH', fixes: ['EXTEND', 'CANCEL'], guide: ['核对保司保单的起止日期', '止期有误的办理延期批单，录入错误的注销保单'] },
  AB02: { severity: 'MID', fixes: ['CANCEL'], guide: ['并列核对两张保单的投保人、产品与期间', '确属重复的注销其中一张'] },
  AB03: {
    severity: 'HIGH',
    owner: 'PRODUCT',
    binding: true,
    fixes: ['CANCEL'],
    guide: ['请产品经理核对该日期的产品版本', '发布正确版本，或注销后按正确版本重新录入'],
  },
  AB04: { severity: 'LOW', guide: ['与投保人确认断档是否属实', '如应连续，为上一张保单办理延期批单'] },
  AB05: { severity: 'HIGH', binding: true, guide: ['确认“保单每日生效与满期”任务是否正常运行', '任务运行后立即复查'] },
  AB06: { severity: 'MID', fixes: ['ADD'], guide: ['向保司或投保人索取被保人清单', '办理增员批单'] },
  AB07: { severity: 'MID', fixes: ['ADD', 'REMOVE'], guide: ['向保司索取在保清单并逐人核对', '办理增员或减员批单，或修改申报人数'] },
  AB08: { severity: 'MID', fixes: ['CORRECT'], guide: ['向投保人核实证件号', '办理信息更正批单'] },
  AB09: { severity: 'MID', fixes: ['CORRECT'], guide: ['向投保人核实出生日期与性别', '办理信息更正批单'] },
  AB10: { severity: 'MID', fixes: ['CORRECT'], guide: ['并列核对两处姓名', '为姓名有误的一处办理信息更正批单'] },
  AB11: { severity: 'HIGH', binding: true, fixes: ['REMOVE'], guide: ['查看该被保人的保障区间', '撤销其中一张批单，或办理减员批单'] },
  AB12: { severity: 'HIGH', binding: true, fixes: ['EXTEND', 'REMOVE'], guide: ['核对保单期间与保障区间', '办理延期批单，或减员截断区间'] },
  AB13: { severity: 'MID', fixes: ['REMOVE'], guide: ['确认主被保人是否离开', '为连带被保人办理减员批单'] },
  AB14: { severity: 'MID', fixes: ['PLAN', 'REMOVE'], guide: ['核对出生日期', '办理计划变更或减员批单'] },
  AB15: { severity: 'HIGH', binding: true, fixes: ['PLAN'], guide: ['核对保单的产品版本', '办理计划变更批单'] },
  AB16: { severity: 'MID', fixes: ['REMOVE'], guide: ['确认被保人应保留的产品', '为另一张保单办理减员批单'] },
  AB17: { severity: 'LOW', fixes: ['CORRECT'], guide: ['向投保人索取手机号', '办理信息更正批单'] },
  AB18: { severity: 'LOW', fixes: ['CORRECT'], guide: ['核实手机号是否为本人', '办理信息更正批单'] },
  AB19: { severity: 'HIGH', binding: true, guide: ['打开保单的“保费”页', '生成对应期间的保费订单'] },
  AB20: { severity: 'HIGH', owner: 'FINANCE', binding: true, guide: ['打开保费订单核对明细', '未审核的驳回后重新生成，已审核的冲正'] },
  AB21: { severity: 'MID', fixes: ['SUSPEND'], guide: ['提醒投保人缴费', '到账后登记收付；超过宽限期的办理中止'] },
  AB22: { severity: 'MID', owner: 'FINANCE', guide: ['打开“到账记录”', '把余额分配到保费订单'] },
  AB23: { severity: 'HIGH', owner: 'FINANCE', binding: true, guide: ['打开保费订单核对收付', '由财务撤销错误的分配或冲正'] },
  AB24: { severity: 'HIGH', guide: ['核对被保人的保障区间', '由入组中止签约，或撤销误减员的批单'] },
  AB25: { severity: 'HIGH', binding: true, guide: ['核对购药日的保障区间', '由理赔复核案件，或撤销误减员的批单'] },
  AB26: { severity: 'HIGH', binding: true, guide: ['核对被保人的保额与已赔付金额', '由理赔复核案件'] },
  AB27: { severity: 'MID', guide: ['查看批次停在哪一步', '继续处理，或提醒审核人'] },
  AB28: { severity: 'HIGH', owner: 'SYSTEM', binding: true, guide: ['核对已撤销批单的保费订单', '作废或冲正仍然有效的订单'] },
  AB29: { severity: 'MID', rebuilds: true, guide: ['点击“重建缓存”，按保障区间重新计算'] },
  AB30: { severity: 'HIGH', owner: 'SYSTEM', binding: true, guide: ['联系系统管理员核对批单序号'] },
  AB31: {
    severity: 'MID',
    replays: true,
    guide: ['点击“重放事件”，重新处理没有处理的事件', '处理完成后立即复查；仍有差异的，请系统管理员核对失败任务'],
  },
  AB32: { severity: 'LOW', guide: ['提醒审核人处理'] },
};

/** Days until what a check found should be mended, unless they were set otherwise. */
export const dueDaysOf: Readonly<Record<Severity, number>> = { HIGH: 3, MID: 7, LOW: 30 };
/** Days for which something may be set aside at most. */
export const MOST_IGNORED_DAYS = 90;

export const abnormalDictionaries = [severities, checkCodes, subjectTypes, ownerKinds];
