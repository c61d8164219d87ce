import { dictionary } from '#kernel/contract/dictionary.ts';

export const genders = dictionary('doctor.gender', { MALE: '男', FEMALE: '女' });
/** Highest first. */
export const titles = dictionary('doctor.title', {
  CHIEF: '主任医师',
  ASSOCIATE: '副主任医师',
  ATTENDING: '主治医师',
  RESIDENT: '住院医师',
});
export type TitleCode = (typeof titles.codes)[number];
/** Guards compare titles by rank. */
export const titleRanks: Readonly<Record<TitleCode, number>> = { CHIEF: 4, ASSOCIATE: 3, ATTENDING: 2, RESIDENT: 1 };
export const practiceLevels = dictionary('doctor.practiceLevel', { LICENSED: '执业医师', ASSISTANT: '执业助理医师' });
export const practiceCategories = dictionary('doctor.practiceCategory', {
  CLINICAL: '临床',
  TCM: '中医',
  STOMATOLOGY: '口腔',
  PUBLIC: '公共卫生',
});
export type PracticeCategory = (typeof practiceCategories.codes)[number];
export const sourceTypes = dictionary('doctor.sourceType', { SCAN: '扫码注册', INVITE: '邀请', IMPORT: '批量导入', STAFF: '代录' });
export type SourceType = (typeof sourceTypes.codes)[number];
export const acceptStates = dictionary('doctor.acceptState', {
  ON: { label: '接诊中', tone: 'success' },
  OFF: { label: '停诊', tone: 'warning' },
});

export const certTypes = dictionary('doctor.certType', {
  ID_CARD: '身份证',
  QUALIFICATION: '医师资格证',
  PRACTICE: '医师执业证',
  TITLE: '职称证',
  BADGE: '工作证',
  MULTI_SITE: '多点执业备案',
  E_SIGN: '电子签名证书',
});
export type CertType = (typeof certTypes.codes)[number];
export const verifySources = dictionary('doctor.verifySource', { MANUAL: '人工核对', NHC: '卫健委官网查询' });

export const qualApplyTypes = dictionary('doctor.qualApplyType', {
  FIRST: '首次认证',
  UPDATE: '资料变更',
  RENEW: '证件更新',
  TITLE: '职称晋升',
  HOSPITAL: '变更执业机构',
});
export type QualApplyType = (typeof qualApplyTypes.codes)[number];
export const qualRejectReasons = dictionary('doctor.qualRejectReason', {
  N01: '证件不清晰',
  N02: '证件信息不一致',
  N03: '证件已过期',
  N04: '非本人证件',
  N05: '执业机构不符',
  N06: '执业范围不符',
  N07: '官网查无此证',
  N08: '重复注册',
  N99: '其他',
});
export const recheckReasons = dictionary('doctor.recheckReason', {
  OVERRIDE: { label: '破例通过', tone: 'error' },
  LEVEL: { label: '按类型复核', tone: 'processing' },
});
export const checkCodes = dictionary('doctor.qualCheckCode', {
  Q01: '身份证校验与年龄',
  Q02: '三证姓名一致',
  Q03: '资格证编号含身份证号',
  Q04: '执业证编号格式',
  Q05: '执业机构一致',
  Q06: '证件均在有效期',
  Q07: '证件未被他人使用',
  Q08: '职称证明',
  Q09: '执业范围覆盖科室',
  Q10: '头像为单人脸',
  Q11: '疑似重复医生',
});
export type CheckCode = (typeof checkCodes.codes)[number];
export const hardChecks: readonly CheckCode[] = ['Q01', 'Q02', 'Q03', 'Q04', 'Q05', 'Q06', 'Q07'];
export const machineResults = dictionary('doctor.machineResult', {
  PASS: { label: '通过', tone: 'success' },
  WARN: { label: '提示' },
  FAIL: { label: '不通过', tone: 'error' },
  UNKNOWN: { label: '无法判断' },
});
export const humanVerdicts = dictionary('doctor.humanVerdict', {
  AGREE: { label: '认可', tone: 'success' },
  OVERRIDE: { label: '破例', tone: 'warning' },
  FAIL: { label: '不通过', tone: 'error' },
});

/** What can be sold; equal to consultation's serviceType. */
export const itemTypes = dictionary('doctor.itemType', {
  TEXT: '图文问诊',
  PHONE: '电话问诊',
  VIDEO: '视频问诊',
  FOLLOW_UP: '随访管理',
  REPORT: '报告解读',
  SECOND_OPINION: '二次诊断意见',
  PRIVATE: '私人医生',
});
export type ItemType = (typeof itemTypes.codes)[number];
export const careKinds = dictionary('doctor.careKind', {
  CONSULT: { label: '健康咨询' },
  DIAGNOSIS: { label: '诊疗服务', tone: 'processing' },
});
export const billings = dictionary('doctor.billing', { TIME: '按次', REPLIES: '按回合', PERIOD: '按周期' });
export const visibleTo = dictionary('doctor.visibleTo', { ALL: '全部用户', VIP: { label: '仅VIP', tone: 'warning' } });
export const weekdays = dictionary('doctor.weekday', {
  '1': '周一',
  '2': '周二',
  '3': '周三',
  '4': '周四',
  '5': '周五',
  '6': '周六',
  '7': '周日',
});
/** Pictures of a group in the patients' app. */
export const categoryIcons = dictionary('doctor.categoryIcon', {
  CHAT: '对话',
  EXPERT: '专家',
  FOLLOW: '随访',
  REPORT: '报告',
  CROWN: '皇冠',
  PHONE: '电话',
  VIDEO: '视频',
  HEART: '爱心',
});
export const enabledStates = dictionary('doctor.enabledState', { ENABLED: { label: '启用', tone: 'success' }, DISABLED: '停用' });
export const suspendReasons = dictionary('doctor.suspendReason', {
  CERT: { label: '资质过期', tone: 'error' },
  FREEZE: { label: '账号冻结', tone: 'error' },
});
export const openingApplyKinds = dictionary('doctor.openingApplyKind', {
  OPEN: { label: '开通', tone: 'processing' },
  PRICE: { label: '调价', tone: 'warning' },
});
export const applicantTypes = dictionary('doctor.applicantType', { DOCTOR: '医生', STAFF: '员工' });
/** Where a price of an opening comes from. */
export const openingPriceSources = dictionary('doctor.openingPriceSource', { OPEN: '开通', AUTO: '自动生效', AUDIT: '审核通过' });
/** What a patient gets back after the first reply; decided by how the item is billed. */
export const refundRules = dictionary('doctor.refundRule', {
  TIME_NONE: '首次回复后不退',
  REPLIES_SHARE: '按未用回合退',
  DAYS_SHARE: '按未用天数退',
});
export const realNameFloors = dictionary('doctor.realNameFloor', { NONE: '不要求', ID2: '二要素' });

export const bindRoles = dictionary('doctor.bindRole', { PRIMARY: { label: '主医助', tone: 'processing' }, BACKUP: '备岗' });
export const transferScopes = dictionary('doctor.transferScope', { ALL: '全部', DOCTORS: '指定医生' });
export const transferStrategies = dictionary('doctor.transferStrategy', { ONE: '转给一人', SPREAD: '按负荷分摊' });
export const transferStates = dictionary('doctor.transferState', {
  RUNNING: { label: '执行中', tone: 'processing', job: true },
  DONE: { label: '已完成', tone: 'success' },
  PARTIAL: { label: '部分失败', tone: 'warning' },
});

export const positions = dictionary('doctor.position', { HOME: '首页名医', DISEASE: '病种推荐', CHANNEL: '渠道专属', SEARCH: '搜索置顶' });
export type Position = (typeof positions.codes)[number];
/** Doctors shown at one instant in one scope of a position. */
export const positionCapacity: Readonly<Record<Position, number>> = { HOME: 8, DISEASE: 10, CHANNEL: 10, SEARCH: 3 };
export const cardTemplates = dictionary('doctor.cardTemplate', { BLUE: '商务蓝', GREEN: '清新绿', GOLD: '名医金' });

export const payChannels = dictionary('doctor.payChannel', { WECHAT: '微信支付', ALIPAY: '支付宝', FREE: '免支付' });
export const discountSources = dictionary('doctor.discountSource', { VIP: { label: 'VIP渠道', tone: 'warning' }, NONE: '无' });
export const refundReasons = dictionary('doctor.refundReason', {
  NO_ACCEPT: '超时未接诊',
  NO_REPLY: '超时未回复',
  DOCTOR_REFUSE: '医生拒诊',
  PATIENT: '患者申请',
  COMPLAINT: '投诉',
});
/** What the channel said of a refund whose outcome it had not told. */
export const refundOutcomes = dictionary('doctor.refundOutcome', { SUCCESS: '渠道已退款', FAILED: '渠道未退款' });
export type RefundReason = (typeof refundReasons.codes)[number];
export const closeReasons = dictionary('doctor.orderCloseReason', {
  TIMEOUT: '超时未支付',
  STAFF: '运营取消',
  PATIENT: '患者取消',
  DOCTOR_DISABLED: '医生停用',
});
export const advanceSteps = dictionary('doctor.advanceStep', {
  ACCEPT: '接诊',
  FIRST_REPLY: '首次回复',
  REPLY: '回复',
  COMPLETE: '完成',
  NO_ACCEPT: '超时未接诊',
  NO_REPLY: '超时未回复',
  DOCTOR_REFUSE: '医生拒诊',
  PATIENT: '患者取消',
});

export const subjectTypes = dictionary('doctor.attributionSubject', { DOCTOR: '医生', PATIENT: '患者' });
export const attributionMethods = dictionary('doctor.attributionMethod', {
  SCAN: '扫码',
  MANUAL: '人工指定',
  IMPORT: '导入',
  ORGANIC: '自然流量',
});
export const firstSources = dictionary('doctor.firstSource', { SCENE_CODE: '场景码', CARD: '名片', SEARCH: '搜索', ASSIGN: '分配' });
export const followStates = dictionary('doctor.followState', { FOLLOWING: { label: '关注中', tone: 'success' }, UNFOLLOWED: '已取消' });
