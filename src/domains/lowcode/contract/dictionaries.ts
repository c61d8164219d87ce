import { dictionary } from '#kernel/contract/dictionary.ts';

export const versionStates = dictionary('lowcode.versionState', {
  DRAFT: { label: '草稿' },
  PUBLISHED: { label: '已发布', tone: 'success' },
  ARCHIVED: { label: '已归档' },
});
export const versionOrigins = dictionary('lowcode.versionOrigin', { EDIT: '编辑', ROLLBACK: '回滚', RELEASE: '系统升级', IMPORT: '导入' });
export const pageHealth = dictionary('lowcode.pageHealth', {
  OK: { label: '正常', tone: 'success' },
  BROKEN: { label: '数据集已变更', tone: 'error' },
});
export const severities = dictionary('lowcode.severity', { E: { label: '错误', tone: 'error' }, W: { label: '提醒', tone: 'warning' } });
/** What a new page begins with. */
export const pageBeginnings = dictionary('lowcode.pageBeginning', {
  EMPTY: '空白页',
  LIST: '由数据集生成列表',
  LIST_FORM: '由数据集生成列表和表单',
  COPY: '复制页面',
  JSON: '上传JSON',
});

/** Of the domains that own pages and datasets. */
export const ownerDomains = dictionary('lowcode.ownerDomain', {
  identity: '身份权限',
  files: '文件',
  lowcode: '低代码',
  content: '内容运营',
  pharma: '药企药品',
  institution: '医疗机构',
  doctor: '医生',
  channel: '渠道',
  patient: '患者',
  consultation: '问诊',
  corpus: '语料',
  insurance: '保险产品',
  policy: '保单',
  enrolment: '入组',
  claim: '理赔',
  order: '订单',
  card: '卡',
  ledger: '账务',
  settlement: '结算',
  invoice: '发票',
  finance: '财务',
});

export const lowcodeDictionaries = [versionStates, versionOrigins, pageHealth, severities, pageBeginnings, ownerDomains];
