import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import { titleRanks, titles, type ItemType, type TitleCode } from '../../contract/dictionaries.ts';
import { firstServiceConfig, type ServiceConfigContent } from '../../contract/calls/config.ts';
import type { PriceBands } from '../../contract/rules/price.ts';
import { json, ownTx } from '../database.ts';

const GROUPS = [
  { name: '快速问诊', icon: 'CHAT', under: null, visibleTo: 'ALL' },
  { name: '专家问诊', icon: 'EXPERT', under: null, visibleTo: 'ALL' },
  { name: '慢病随访', icon: 'FOLLOW', under: null, visibleTo: 'ALL' },
  { name: '报告解读', icon: 'REPORT', under: null, visibleTo: 'ALL' },
  { name: '私人医生', icon: 'CROWN', under: '专家问诊', visibleTo: 'VIP' },
] as const;

type Billing = { billing: 'TIME' } | { billing: 'REPLIES'; quotaReplies: number } | { billing: 'PERIOD'; periodDays: number };
type Sold = Billing & {
  code: string;
  name: string;
  type: ItemType;
  care: 'CONSULT' | 'DIAGNOSIS';
  group: (typeof GROUPS)[number]['name'];
  /** Default price of an attending doctor, in yuan. */
  yuan: number;
  durationMin?: 10 | 15 | 20 | 30 | 60;
  titleMin: TitleCode;
  summary: string;
  state?: 'DRAFT' | 'OFF';
};

const ITEMS: readonly Sold[] = [
  {
    code: 'TEXT_QUICK',
    name: '图文快速问诊',
    type: 'TEXT',
    care: 'CONSULT',
    group: '快速问诊',
    billing: 'REPLIES',
    quotaReplies: 10,
    yuan: 29,
    titleMin: 'RESIDENT',
    summary: '24小时内接诊，10个回合',
  },
  {
    code: 'TEXT_STD',
    name: '图文问诊',
    type: 'TEXT',
    care: 'DIAGNOSIS',
    group: '快速问诊',
    billing: 'REPLIES',
    quotaReplies: 20,
    yuan: 59,
    titleMin: 'ATTENDING',
    summary: '20个回合，可开具用药建议',
  },
  {
    code: 'VIDEO_15',
    name: '视频问诊',
    type: 'VIDEO',
    care: 'DIAGNOSIS',
    group: '专家问诊',
    billing: 'TIME',
    durationMin: 15,
    yuan: 99,
    titleMin: 'ATTENDING',
    summary: '预约15分钟视频面诊',
  },
  {
    code: 'VIDEO_30',
    name: '视频问诊30分钟',
    type: 'VIDEO',
    care: 'DIAGNOSIS',
    group: '专家问诊',
    billing: 'TIME',
    durationMin: 30,
    yuan: 189,
    titleMin: 'ASSOCIATE',
    summary: '预约30分钟视频面诊，适合复诊与疑难病情',
  },
  {
    code: 'PHONE_15',
    name: '电话问诊',
    type: 'PHONE',
    care: 'CONSULT',
    group: '专家问诊',
    billing: 'TIME',
    durationMin: 15,
    yuan: 79,
    titleMin: 'ATTENDING',
    summary: '预约15分钟电话咨询',
  },
  {
    code: 'PHONE_30',
    name: '电话问诊30分钟',
    type: 'PHONE',
    care: 'CONSULT',
    group: '专家问诊',
    billing: 'TIME',
    durationMin: 30,
    yuan: 139,
    titleMin: 'ASSOCIATE',
    summary: '预约30分钟电话咨询',
  },
  {
    code: 'SECOND_OP',
    name: '二次诊断意见',
    type: 'SECOND_OPINION',
    care: 'DIAGNOSIS',
    group: '专家问诊',
    billing: 'TIME',
    yuan: 399,
    titleMin: 'ASSOCIATE',
    summary: '阅读全部病历后给出书面意见',
  },
  {
    code: 'FOLLOW_30',
    name: '慢病随访30天',
    type: 'FOLLOW_UP',
    care: 'CONSULT',
    group: '慢病随访',
    billing: 'PERIOD',
    periodDays: 30,
    yuan: 199,
    titleMin: 'RESIDENT',
    summary: '30天内不限回合随访与用药提醒',
  },
  {
    code: 'FOLLOW_90',
    name: '慢病随访90天',
    type: 'FOLLOW_UP',
    care: 'CONSULT',
    group: '慢病随访',
    billing: 'PERIOD',
    periodDays: 90,
    yuan: 499,
    titleMin: 'ATTENDING',
    summary: '90天连续管理，每月一份小结',
  },
  {
    code: 'FOLLOW_ONCO',
    name: '肿瘤用药随访',
    type: 'FOLLOW_UP',
    care: 'DIAGNOSIS',
    group: '慢病随访',
    billing: 'PERIOD',
    periodDays: 30,
    yuan: 299,
    titleMin: 'ATTENDING',
    summary: '靶向与免疫治疗期间的不良反应随访',
  },
  {
    code: 'REPORT_LAB',
    name: '检验报告解读',
    type: 'REPORT',
    care: 'CONSULT',
    group: '报告解读',
    billing: 'REPLIES',
    quotaReplies: 5,
    yuan: 39,
    titleMin: 'RESIDENT',
    summary: '上传检验单，5个回合内说明结果',
  },
  {
    code: 'REPORT_IMAGE',
    name: '影像报告解读',
    type: 'REPORT',
    care: 'CONSULT',
    group: '报告解读',
    billing: 'REPLIES',
    quotaReplies: 5,
    yuan: 69,
    titleMin: 'ATTENDING',
    summary: 'CT、MRI、超声报告说明',
    state: 'OFF',
  },
  {
    code: 'PRIVATE_90',
    name: '季度私人医生',
    type: 'PRIVATE',
    care: 'DIAGNOSIS',
    group: '私人医生',
    billing: 'PERIOD',
    periodDays: 90,
    yuan: 999,
    titleMin: 'ASSOCIATE',
    summary: '专属医生与医助，优先接诊',
  },
  {
    code: 'PRIVATE_365',
    name: '年度私人医生',
    type: 'PRIVATE',
    care: 'DIAGNOSIS',
    group: '私人医生',
    billing: 'PERIOD',
    periodDays: 365,
    yuan: 2999,
    titleMin: 'CHIEF',
    summary: '全年专属管理，含两次线下绿色通道协助',
    state: 'DRAFT',
  },
];

const HIGHEST = 500_000;
/** A title above or below changes the price by a fifth. */
const FACTOR: Readonly<Record<TitleCode, number>> = { CHIEF: 180, ASSOCIATE: 130, ATTENDING: 100, RESIDENT: 70 };

function bandsOf({ yuan, titleMin }: Sold): PriceBands {
  return Object.fromEntries(
    titles.codes
      .filter((title) => titleRanks[title] >= titleRanks[titleMin])
      .map((title) => {
        const defaultFen = Math.min(HIGHEST, yuan * FACTOR[title]);
        return [title, { minFen: Math.round(defaultFen / 3 / 100) * 100, defaultFen, maxFen: Math.min(HIGHEST, defaultFen * 3) }];
      }),
  );
}

const REFUND_RULE = { TIME: 'TIME_NONE', REPLIES: 'REPLIES_SHARE', PERIOD: 'DAYS_SHARE' } as const;

/** The groups and what is sold in them. */
export async function writeItems(tx: Tx, now: Instant): Promise<void> {
  const timestamps = { createdAt: plusMs(now, -days(180)), updatedAt: plusMs(now, -days(30)) };
  const groups = new Map<string, string>();
  for (const [index, { name, icon, under, visibleTo }] of GROUPS.entries()) {
    const { id } = await ownTx(tx)
      .insertInto('doctorServiceCategory')
      .values({
        code: await nextSerial(tx, 'WF', 4),
        name,
        icon,
        visibleTo,
        parentId: under === null ? null : (groups.get(under) ?? null),
        depth: under === null ? 1 : 2,
        sort: under === null ? index + 1 : 1,
        ...timestamps,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    groups.set(name, id);
  }
  await ownTx(tx)
    .insertInto('doctorServiceItem')
    .values(
      ITEMS.map((item, index) => ({
        itemCode: item.code,
        name: item.name,
        itemType: item.type,
        careKind: item.care,
        categoryId: groups.get(item.group)!,
        sort: index + 1,
        summary: item.summary,
        detail: `${item.summary}。医生按约定时效回复；急危重症请立即线下就医。`,
        billing: item.billing,
        quotaReplies: item.billing === 'REPLIES' ? item.quotaReplies : null,
        periodDays: item.billing === 'PERIOD' ? item.periodDays : null,
        durationMin: item.durationMin ?? null,
        priceBands: json(bandsOf(item)),
        acceptHours: item.durationMin ? 12 : 24,
        replyHours: 24,
        validHours: item.billing === 'PERIOD' ? item.periodDays * 24 : 72,
        needSlot: item.durationMin !== undefined,
        titleMin: item.titleMin,
        refundRuleCode: REFUND_RULE[item.billing],
        state: item.state ?? 'ON',
        ...timestamps,
      })),
    )
    .execute();
}

/** Two former versions, the one in force and a draft. */
export async function writeConfig(tx: Tx, now: Instant, people: { maker: string | null; publisher: string | null }): Promise<void> {
  const content = (change: Partial<ServiceConfigContent>) =>
    json({ ...firstServiceConfig, crisisWords: ['胸痛', '呼吸困难', '自杀', '轻生', '不想活', '自残', '割腕'], ...change });
  const versions = [
    { versionNo: 1, state: 'HISTORY', daysAgo: 170, note: '上线初始配置', content: content({ maxOpenPerDoctor: 6 }) },
    { versionNo: 2, state: 'HISTORY', daysAgo: 90, note: '放宽每位医生开通数', content: content({ maxOpenPerDoctor: 8 }) },
    {
      versionNo: 3,
      state: 'ACTIVE',
      daysAgo: 20,
      note: '增加危机词与到期提醒',
      content: content({
        remindBeforeMin: [120, 60, 15],
        crisisWords: ['胸痛', '呼吸困难', '自杀', '轻生', '不想活', '自残', '割腕', '跳楼', '遗书'],
      }),
    },
    {
      versionNo: 4,
      state: 'DRAFT',
      daysAgo: 2,
      note: '拟缩短首响时效',
      content: content({
        replyHours: 12,
        remindBeforeMin: [120, 60, 15],
        crisisWords: ['胸痛', '呼吸困难', '自杀', '轻生', '不想活', '自残', '割腕', '跳楼', '遗书'],
      }),
    },
  ] as const;
  await ownTx(tx)
    .insertInto('doctorServiceConfigVersion')
    .values(
      versions.map(({ daysAgo, state, ...version }) => {
        const at = plusMs(now, -days(daysAgo));
        const published = state === 'DRAFT' ? null : at;
        return {
          ...version,
          state,
          effectiveFrom: published,
          publishedAt: published,
          publishedBy: published === null ? null : people.publisher,
          createdAt: at,
          createdBy: people.maker,
          updatedAt: at,
        };
      }),
    )
    .execute();
}
