import type { Scope } from '#kernel/server/context.ts';

export interface DemoPerson {
  userName: string;
  displayName: string;
  department: string;
  post: string;
  roles: readonly { code: string; scope?: Partial<Scope> }[];
  state?: 'PENDING' | 'LOCKED' | 'DISABLED' | 'LEFT';
  /** Days from today. */
  validTo?: number;
  outsourced?: boolean;
  /** Locked for the next half hour by wrong passwords. */
  timedLock?: boolean;
  /** Must set a new password at the next login. */
  mustChange?: 'FIRST' | 'RESET';
  neverLoggedIn?: boolean;
}

const person = (
  userName: string,
  displayName: string,
  department: string,
  post: string,
  roles: string | readonly { code: string; scope?: Partial<Scope> }[],
  more: Partial<DemoPerson> = {},
): DemoPerson => ({
  userName,
  displayName,
  department,
  post,
  ...more,
  roles:
    typeof roles === 'string'
      ? roles
          .split('|')
          .filter(Boolean)
          .map((code) => ({ code }))
      : roles,
});

const shanghai = { region: ['310000'] };

/** identity.md §Demo data: an account for every role, and the people of the stories. */
export const demoPeople: readonly DemoPerson[] = [
  person('admin', '超级管理员', '信息技术部', '平台负责人', 'SUPER_ADMIN'),
  person('admin_b', '郑凯', '信息技术部', '平台副负责人', 'SUPER_ADMIN'),
  person('corpus_ops', '林晓', '内容运营部', '语料运营专员', 'CORPUS_OPS'),
  person('assist_a', '许晴', '医助中心', '医助', [{ code: 'ASSISTANT', scope: { own: true } }]),
  person('assist_s', '邓丽华', '医助中心', '医助主管', 'ASSISTANT_LEAD'),
  person('doctor_sh', '曹志强', '医生运营部', '华东区运营', [{ code: 'DOCTOR_OPS', scope: { region: ['310000', '320000'] } }]),
  person('channel_sh', '孙涛', '渠道部', '上海渠道经理', [{ code: 'CHANNEL_OPS', scope: shanghai }]),
  person('ops_audit', '萧然', '运营管理部', '运营审核', 'OPS_AUDIT'),
  person('medical_a', '田甜', '医学部', '医学审核', 'MEDICAL_AUDIT'),
  person('enrol_a', '董洁', '入组审核部', '入组审核员', 'ENROL_AUDITOR'),
  person('enrol_b', '袁野', '入组审核部', '入组审核员', [{ code: 'ENROL_AUDITOR', scope: { insurer: ['1'] } }]),
  person('enrol_r', '潘虹', '入组审核部', '入组复核', 'ENROL_RECHECK'),
  person('enrol_s', '于洋', '入组审核部', '入组主管', 'ENROL_LEAD'),
  person('claim_a', '蒋欣', '理赔部', '理赔初审', 'CLAIM_FIRST'),
  person('claim_b', '蔡明', '理赔部', '理赔初审', 'CLAIM_FIRST'),
  person('zhoumin', '周敏', '理赔部', '理赔初审兼客服', [{ code: 'CLAIM_FIRST', scope: { insurer: ['1'] } }, { code: 'SERVICE' }]),
  person('claim_r', '余海', '理赔部', '理赔复审', 'CLAIM_SECOND'),
  person('claim_s', '杜鹃', '理赔部', '理赔主管', 'CLAIM_LEAD'),
  person('claim_pay', '叶舟', '理赔部', '理赔打款', 'CLAIM_PAY'),
  person('product_a', '程程', '产品部', '产品运营', 'PRODUCT_OPS'),
  person('product_b', '方宁', '产品部', '产品运营（单家保司）', [{ code: 'PRODUCT_OPS', scope: { insurer: ['1'] } }]),
  person('product_r', '苏琳', '产品部', '产品审核', 'PRODUCT_AUDIT'),
  person('pharm_a', '白芷', '履约中心', '药师', 'PHARMACIST'),
  person('fulfil_a', '魏来', '履约中心', '履约运营', 'FULFIL_OPS'),
  person('fulfil_s', '吕梁', '履约中心', '履约主管', 'FULFIL_LEAD'),
  person('card_a', '丁一', '卡业务部', '卡运营', 'CARD_OPS'),
  person('card_r', '任静', '卡业务部', '卡审核', 'CARD_AUDIT'),
  person('fin_a', '沈月', '财务部', '会计', 'FINANCE'),
  person('fin_r', '姚远', '财务部', '财务复核', 'FINANCE_AUDIT'),
  person('fin_s', '卢俊', '财务部', '财务主管', 'FINANCE_LEAD'),
  person('cashier', '姜华', '财务部', '出纳', 'CASHIER'),
  person('svc_a', '崔颖', '客户服务部', '客服专员', 'SERVICE'),
  person('audit_a', '谭松', '审计部', '审计专员', 'AUDITOR'),
  person('sys_a', '廖凡', '信息技术部', '系统管理员', 'SYS_ADMIN'),
  person('sec_a', '范文', '信息技术部', '安全管理员', 'SEC_ADMIN'),
  person('liming', '李明', '运营管理部', '综合运营', 'CORPUS_OPS|DOCTOR_OPS|CHANNEL_OPS'),
  person('qianwei', '钱伟', '外部合作', '外包客服', 'SERVICE', { outsourced: true, validTo: -1 }),
  person('wujing', '吴静', '入组审核部', '入组审核员', 'ENROL_AUDITOR', { mustChange: 'RESET' }),
  person('newcomer', '石磊', '客户服务部', '客服专员', 'SERVICE', { state: 'PENDING', mustChange: 'FIRST', neverLoggedIn: true }),
  person('locked_a', '罗刚', '履约中心', '履约运营', 'FULFIL_OPS|PRODUCT_OPS', { state: 'LOCKED', outsourced: true, validTo: 180 }),
  person('off_a', '韩雪', '卡业务部', '卡运营', 'CARD_OPS', { state: 'DISABLED' }),
  person('off_b', '唐果', '财务部', '会计', 'FINANCE', { state: 'DISABLED' }),
  person('left_a', '高远', '医助中心', '医助', 'ASSISTANT', { state: 'LEFT' }),
  person('left_b', '马超', '渠道部', '渠道运营', 'CHANNEL_OPS', { state: 'LEFT' }),
  person('norole', '贺新', '人事部', '新员工', '', {}),
  person('doc_a', '冯雪', '运营管理部', '医生资质初审', 'OPS_AUDIT'),
  person('doc_b', '侯斌', '运营管理部', '医生资质初审', 'OPS_AUDIT'),
  person('doc_med', '夏宁', '医学部', '医务复核', 'MEDICAL_AUDIT'),
  person('doc_ops', '顾盼', '医生运营部', '医生运营专员', 'DOCTOR_OPS'),
  person('doc_view', '秦风', '审计部', '医生业务查看', 'AUDITOR'),
  person('waiting', '白露', '客户服务部', '客服专员', 'SERVICE', { timedLock: true }),
  person('assist_b', '骆文静', '医助中心', '医助', [{ code: 'ASSISTANT', scope: { own: true } }]),
  person('assist_view', '柳依', '审计部', '就诊记录查看', 'AUDITOR'),
  person('chan_ops', '简宁', '渠道部', '渠道运营专员', 'CHANNEL_OPS'),
  person('chan_audit', '卓然', '运营管理部', '渠道权益审核', 'OPS_AUDIT'),
  person('wecom_admin', '韦成', '信息技术部', '企业微信管理员', 'SYS_ADMIN'),
  person('chan_view', '纪言', '审计部', '渠道业务查看', 'AUDITOR'),
  person('pharma_edit', '穆清', '产品部', '药品运营', 'PRODUCT_OPS'),
  person('pharma_audit', '樊星', '产品部', '药品审核', 'PRODUCT_AUDIT'),
  person('agent_ops', '乔羽', '渠道部', '代表运营', 'CHANNEL_OPS'),
  person('pharma_view', '席安', '审计部', '药企业务查看', 'AUDITOR'),
  person('content_edit', '方晴', '内容运营部', '投放运营专员', 'CORPUS_OPS'),
  person('content_audit', '楚宁', '医学部', '内容与广告审核', 'MEDICAL_AUDIT'),
  // Who decides beside the first of his role: what one of them made or decided is the other one's.
  person('enrol_s2', '尹涛', '入组审核部', '入组主管', 'ENROL_LEAD'),
  person('claim_r2', '温岚', '理赔部', '理赔复审', 'CLAIM_SECOND'),
  person('claim_s2', '关山', '理赔部', '理赔主管', 'CLAIM_LEAD'),
];

/** The mobile of an account: its place in the list decides. */
export const demoMobile = (userName: string): string =>
  `138${String(16_880_000 + demoPeople.findIndex((one) => one.userName === userName) * 137).padStart(8, '0')}`;
