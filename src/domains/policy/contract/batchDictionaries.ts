import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { policyErrors } from './errors.ts';

export const batchModes = dictionary('policy.batchMode', {
  INITIAL: '首次承保',
  ADD: '增员',
  REMOVE: '减员',
  MIXED: '增减员',
  FULL: '全量比对',
});
export type BatchMode = (typeof batchModes.codes)[number];
export const rowResults = dictionary('policy.rowResult', {
  ADD: { label: '新增', tone: 'success' },
  MODIFY: { label: '变更', tone: 'processing' },
  REMOVE: { label: '减员', tone: 'warning' },
  SAME: '无变化',
  ERROR: { label: '错误', tone: 'error' },
  EXCLUDED: '已剔除',
});
export const rowOps = dictionary('policy.rowOp', { ADD: '增', REMOVE: '减', MODIFY: '改' });
export const leaveMeanings = dictionary('policy.leaveMeans', { LAST_COVERED: '最后保障日', FIRST_UNCOVERED: '首个无保障日' });

export const dedupeKeys = dictionary('policy.dedupeKey', { PERSON: '证件号', EMPLOYEE: '工号' });

/** Fields that a list may have; what an insurer calls them is the template's. */
export const listTargets = dictionary('policy.listTarget', {
  policyNo: '保单号',
  op: '操作',
  name: '姓名',
  idType: '证件类型',
  idNo: '证件号',
  gender: '性别',
  birthDate: '出生日期',
  mobile: '手机号',
  employeeNo: '工号',
  department: '部门',
  relation: '与主被保人关系',
  mainIdNo: '主被保人证件号',
  planCode: '计划',
  effectiveOn: '生效日期',
  leaveOn: '减员日期',
  hasSocial: '有医保',
  socialAdcode: '参保地',
  adcode: '所在地区',
  preExisting: '既往症',
  productCode: '产品编码',
  holderName: '投保人',
  coverageStart: '起保日期',
  coverageEnd: '终保日期',
  policyType: '保单类型',
  payMode: '缴费方式',
});
export type ListTarget = (typeof listTargets.codes)[number];
export const dateFormats = dictionary('policy.dateFormat', {
  'yyyy-MM-dd': 'yyyy-MM-dd',
  yyyyMMdd: 'yyyyMMdd',
  'yyyy/M/d': 'yyyy/M/d',
  SERIAL: 'Excel日期',
});
export const transforms = dictionary('policy.transform', { TRIM: '去空格', UPPER: '转大写', HALF: '转半角' });

const importing = { permission: 'policy.batch.import' } as const;
const auditing = { permission: 'policy.batch.audit' } as const;
const undoing = { permission: 'policy.batch.undo' } as const;
export const batchMachine = stateMachine(
  'policy.batch',
  {
    UPLOADED: { label: '已上传', tone: 'processing' },
    PARSING: { label: '校验中', tone: 'processing', job: true },
    HAS_ERROR: { label: '有错误', tone: 'error' },
    PREVIEW: { label: '待确认', tone: 'warning' },
    PENDING_AUDIT: { label: '待审核', tone: 'warning' },
    APPLYING: { label: '生效中', tone: 'success', job: true },
    APPLY_FAILED: { label: '生效中断', tone: 'error' },
    APPLIED: { label: '已生效', tone: 'success' },
    UNDOING: { label: '撤销中', tone: 'processing', job: true },
    UNDONE: { label: '已撤销' },
    DISCARDED: { label: '已作废' },
  },
  {
    parse: { label: '开始校验', from: ['UPLOADED', 'HAS_ERROR', 'PREVIEW'], to: 'PARSING', ...importing, opinion: 'none' },
    parsed: { label: '校验通过', from: ['PARSING', 'HAS_ERROR'], to: 'PREVIEW', permission: 'system', opinion: 'none' },
    failed: { label: '校验有错误', from: ['PARSING', 'PREVIEW'], to: 'HAS_ERROR', permission: 'system', opinion: 'optional' },
    submit: { label: '提交生效', from: ['PREVIEW'], to: 'PENDING_AUDIT', ...importing, opinion: 'optional' },
    // Where nobody else has to look at it.
    submitAtOnce: { label: '提交生效', from: ['PREVIEW'], to: 'APPLYING', permission: 'system', opinion: 'optional' },
    approve: {
      label: '审核通过',
      from: ['PENDING_AUDIT'],
      to: 'APPLYING',
      ...auditing,
      opinion: 'required',
      otherThan: policyErrors.OWN_ENDORSEMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING_AUDIT'],
      to: 'PREVIEW',
      ...auditing,
      opinion: 'required',
      otherThan: policyErrors.OWN_ENDORSEMENT,
    },
    applied: { label: '生效完成', from: ['APPLYING'], to: 'APPLIED', permission: 'system', opinion: 'none' },
    broke: { label: '生效中断', from: ['APPLYING'], to: 'APPLY_FAILED', permission: 'system', opinion: 'optional' },
    resume: { label: '继续', from: ['APPLY_FAILED'], to: 'APPLYING', ...importing, opinion: 'none' },
    discard: {
      label: '作废',
      from: ['UPLOADED', 'HAS_ERROR', 'PREVIEW', 'APPLY_FAILED'],
      to: 'DISCARDED',
      ...importing,
      opinion: 'required',
      danger: true,
    },
    askUndo: { label: '申请整批撤销', from: ['APPLIED'], ...undoing, opinion: 'required', danger: true },
    undo: { label: '确认整批撤销', from: ['APPLIED'], to: 'UNDOING', ...undoing, opinion: 'required', danger: true },
    // Something stood against it that came after it was confirmed.
    kept: { label: '撤销中止', from: ['UNDOING'], to: 'APPLIED', permission: 'system', opinion: 'optional' },
    undone: { label: '撤销完成', from: ['UNDOING'], to: 'UNDONE', permission: 'system', opinion: 'none' },
  },
);
export type BatchState = keyof typeof batchMachine.states;
export const batchActions = ['parse', 'submit', 'approve', 'reject', 'resume', 'discard', 'askUndo', 'undo'] as const;

export const batchDictionaries = [
  batchModes,
  rowResults,
  rowOps,
  leaveMeanings,
  dedupeKeys,
  listTargets,
  dateFormats,
  transforms,
  batchMachine.dictionary,
];
