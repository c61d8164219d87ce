import type { TouchKind } from '../../../contract/dictionaries.ts';
import type { MaterialContent } from '../../../contract/materials/content.ts';

export interface DemoMaterial {
  title: string;
  folder: string;
  tags: readonly string[];
  kind: TouchKind;
  content: MaterialContent;
}

type Line = readonly [kind: TouchKind, title: string, text: string];

/** Said of every disease; `%` is its name. */
const texts: readonly Line[] = [
  ['MEDICATION', '续方提醒', '{{患者称呼:您}}，您好！您的药还可服用约{{剩余用药天数:几}}天，请提前续方购药，避免中断%的治疗。'],
  ['MEDICATION', '按时服药', '{{患者称呼:您}}，今天的药服了吗？%需要长期规律用药，请不要自行停药或减量。'],
  ['CHECK', '复查提醒', '{{患者称呼:您}}，按计划本周需要完成%的相关检查，做完后可把报告拍照发到群里，{{医生姓名:医生}}会为您解读。'],
  [
    'REVISIT',
    '复诊提醒',
    '{{患者称呼:您}}，距离您上次复诊已有{{距上次复诊天数:一段时间}}天，请尽快预约{{医生姓名:医生}}复诊，评估%的控制情况。',
  ],
  ['CARE', '日常问候', '{{患者称呼:您}}，天气转凉，注意保暖。最近身体感觉如何？有不舒服可以随时在群里告诉我们。'],
  ['CARE', '随访关怀', '{{患者称呼:您}}，我是{{医助姓名:您的健康助理}}，您的%随访由我负责，有问题请随时联系我。'],
  ['EDUCATION', '饮食要点', '%患者饮食要点：规律进餐，少油少盐，保证优质蛋白和新鲜蔬菜，戒烟限酒。'],
  ['EDUCATION', '运动要点', '%患者运动要点：每周不少于150分钟中等强度活动，循序渐进；运动中出现不适请立即停止。'],
  ['EDUCATION', '用药常识', '%患者用药常识：按医嘱服用，漏服后不要加倍补服；出现皮疹、恶心等反应请及时告知医生。'],
  ['SERVICE', '资料上传说明', '{{患者称呼:您}}，请将%相关的病历、检查报告拍照上传到康桥患者端，便于医生全面了解病情。'],
  ['FORM', '问卷说明', '{{患者称呼:您}}，为了更好地跟进您的%，请花两分钟填写随访问卷，谢谢。'],
];

const articles: readonly (readonly [title: string, summary: string])[] = [
  ['%患者一日三餐怎么吃', '营养科医生给出的食谱与份量建议'],
  ['%最常见的五个误区', '这些说法并不正确，听听医生怎么讲'],
  ['读懂%的检查报告', '关键指标的含义与复查周期'],
];

const cards: readonly (readonly [appId: string, path: string, title: string])[] = [
  ['wx8f2a61c0d3b74e95', 'pages/revisit/index', '在线预约复诊'],
  ['wx3d90b7e25fa1c684', 'pages/refill/index', '一键续方购药'],
];

const folderOf: Readonly<Record<TouchKind, string>> = {
  MEDICATION: '用药',
  CHECK: '检查与复诊',
  REVISIT: '检查与复诊',
  FORM: '服务',
  SERVICE: '服务',
  CARE: '关怀',
  EDUCATION: '健康教育',
  PROMO: '服务',
};

/** What is written for one disease. */
export function contentsFor(disease: string, index: number): DemoMaterial[] {
  const named = (text: string) => text.replaceAll('%', disease);
  return [
    ...texts.map(([kind, title, text]): DemoMaterial => ({
      title: `${disease}-${title}`,
      folder: folderOf[kind],
      tags: [title.includes('提醒') ? '提醒' : '常用'],
      kind,
      content: { type: 'TEXT', text: named(text) },
    })),
    ...articles.map(([title, summary], at): DemoMaterial => ({
      title: named(title),
      folder: '健康教育',
      tags: ['科普'],
      kind: 'EDUCATION',
      content: { type: 'ARTICLE', title: named(title), summary, url: `https://edu.kangqiao.com/a/${index + 1}${at + 1}` },
    })),
    ...cards.map(([appId, path, title]): DemoMaterial => ({
      title: `${disease}-${title}`,
      folder: '服务',
      tags: ['小程序'],
      kind: title.includes('复诊') ? 'REVISIT' : 'MEDICATION',
      content: { type: 'MINI_CARD', appId, path, title },
    })),
  ];
}

/** One word that may not be said, and two that an auditor must weigh. */
export const doubtful: readonly (readonly [title: string, text: string, state: 'DRAFT' | 'AUDITING'])[] = [
  ['偏方宣传（待修改）', '{{患者称呼:您}}，此方可根治，无效退款。', 'DRAFT'],
  ['义诊通知', '{{患者称呼:您}}，本周六上午{{医院:我院}}举行免费义诊，欢迎参加。', 'AUDITING'],
  ['购药活动', '{{患者称呼:您}}，本月购药享限时优惠，详情见小程序。', 'AUDITING'],
];

/** Where the rest of the library ends. */
export const DEMO_MATERIALS = 260;

/** Texts of automatic messages; the notices' titles are what their events are called. */
export const autoTexts: readonly (readonly [title: string, text: string])[] = [
  ['欢迎入群', '{{患者称呼:您}}，欢迎加入{{医生姓名:医生}}的患者群！有用药、检查方面的问题可以随时在群里提问。'],
  ['欢迎咨询', '{{患者称呼:您}}，您好！我是您的健康助理，今后由我协助您与医生沟通。'],
  ['扫码欢迎', '{{患者称呼:您}}，感谢关注康桥健康服务，您可以在这里咨询医生、续方购药。'],
  ['病种欢迎', '{{患者称呼:您}}，为了更好地管理{{病种:您的健康}}，请您先上传近三个月的检查报告。'],
  ['入组申请已提交', '您的入组申请{{申请编号:（见详情）}}已提交，我们将在2个工作日内完成审核。'],
  ['入组审核通过', '您的入组申请{{申请编号:（见详情）}}已通过审核，服务已为您开通。'],
  ['入组审核未通过', '您的入组申请{{申请编号:（见详情）}}未通过审核：{{办理说明:详情请咨询客服}}。'],
  ['入组资料待补充', '您的入组申请需要补充资料：{{办理说明:请查看申请详情}}，请于{{截止日期:7日内}}前提交。'],
  ['入组申请已关闭', '您的入组申请{{申请编号:（见详情）}}已关闭：{{办理说明:如需帮助请联系客服}}。'],
  ['理赔资料待补充', '您的理赔{{理赔编号:申请}}需要补充资料：{{办理说明:请查看理赔详情}}，请于{{截止日期:7日内}}前提交。'],
  ['理赔结果通知', '您的理赔{{理赔编号:申请}}已有结果：{{办理说明:请查看理赔详情}}。'],
  ['药品已发货', '您的订单{{订单编号:（见详情）}}已发货，运单号{{运单编号:请查看订单}}，请注意查收。'],
  ['药品已签收', '您的订单{{订单编号:（见详情）}}已签收，请核对药品并按医嘱服用。'],
  ['权益卡已发放', '{{权益卡名称:权益卡}}已发放到您的账户，金额{{金额:见详情}}元，有效期至{{到期日期:见详情}}。'],
  ['权益卡即将到期', '您的权益卡还有{{金额:余额}}元未使用，将于{{到期日期:近期}}到期，请及时使用。'],
];
