import { sql } from 'kysely';
import { markBound } from '#events/content.ts';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { everyone } from '#kernel/server/auth/viewer.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import type { ObjectTypeCode } from '../../contract/marks/dictionaries.ts';
import type { ContentTagGroup } from '../tables.ts';
import { publishMarks } from './publish.ts';

interface DemoGroup {
  objectType: ObjectTypeCode;
  name: string;
  mode: ContentTagGroup['selectMode'];
  color: ContentTagGroup['color'];
  sensitive?: boolean;
  closed?: boolean;
  marks: readonly string[];
}

const group = (
  objectType: ObjectTypeCode,
  name: string,
  mode: DemoGroup['mode'],
  color: DemoGroup['color'],
  marks: string,
  more: Pick<DemoGroup, 'sensitive' | 'closed'> = {},
): DemoGroup => ({ objectType, name, mode, color, marks: marks.split(' '), ...more });

/** Tag groups of the demonstration with their marks, in their order. */
const demoGroups: readonly DemoGroup[] = [
  group('PATIENT', '生命周期', 'SINGLE', 'blue', '新注册 首购 活跃 高复购 沉睡 流失预警 已流失'),
  group('PATIENT', '价值等级', 'SINGLE', 'gold', '高价值 中价值 普通 待培育'),
  group('PATIENT', '疾病关注', 'MULTI', 'red', '肺癌 乳腺癌 糖尿病 高血压 类风湿 慢阻肺 乙肝 肾病', { sensitive: true }),
  group('PATIENT', '治疗阶段', 'SINGLE', 'magenta', '初诊 术后 化疗中 靶向治疗 免疫治疗 随访期', { sensitive: true }),
  group('PATIENT', '服务偏好', 'MULTI', 'cyan', '偏好电话 偏好微信 夜间活跃 家属代办 需方言 视力不便'),
  group('PATIENT', '保障情况', 'MULTI', 'green', '惠民保 商业重疾 百万医疗 职工医保 居民医保 异地就医'),
  group('PATIENT', '运营活动', 'MULTI', 'orange', '国庆关怀 春季筛查 用药打卡 直播报名 问卷完成 老带新'),
  group('PATIENT', '服务提醒', 'MULTI', 'purple', '复诊将近 余药不足 资料待补 投诉跟进 发票待寄'),
  group('DOCTOR', '合作阶段', 'SINGLE', 'blue', '意向 签约 活跃 沉默 暂停合作'),
  group('DOCTOR', '学术影响', 'SINGLE', 'gold', '全国专家 省级专家 市级专家 青年医生'),
  group('DOCTOR', '擅长方式', 'MULTI', 'cyan', '图文快 视频佳 科普达人 患教讲师 多学科 疑难会诊'),
  group('DOCTOR', '服务评价', 'MULTI', 'green', '好评率高 回复及时 耐心细致 续方规范 病历完整 零投诉'),
  group('DOCTOR', '运营活动', 'MULTI', 'orange', '义诊报名 直播讲师 手记作者 调研专家 年会嘉宾'),
  group('DOCTOR', '历史批次', 'MULTI', 'default', '首批入驻 二批入驻 三批入驻 渠道导入 迁移导入', { closed: true }),
  group('MEDICINE', '用药特点', 'MULTI', 'cyan', '每日一次 需冷藏 餐前服用 餐后服用 可掰开 避光保存 儿童可用'),
  group('MEDICINE', '经营分层', 'SINGLE', 'gold', '战略品种 重点品种 常规品种 观察品种 待淘汰'),
  group('MEDICINE', '供应情况', 'SINGLE', 'red', '供应充足 货源紧张 阶段缺货 新上市 即将退市'),
  group('MEDICINE', '保障目录', 'MULTI', 'green', '国谈药 双通道 门慢门特 特药目录 惠民保可用 集采品种'),
  group('CHANNEL', '渠道质量', 'SINGLE', 'blue', '优质 良好 一般 待整改'),
  group('CHANNEL', '推广方式', 'MULTI', 'cyan', '线下地推 院内海报 社群裂变 公众号 短视频 学术会议'),
  group('CHANNEL', '合作特征', 'MULTI', 'orange', '长期合作 季节性 独家 联合品牌 预算受控'),
  group('DRUGSTORE', '门店等级', 'SINGLE', 'gold', '旗舰店 标准店 社区店 院边店'),
  group('DRUGSTORE', '服务能力', 'MULTI', 'green', '冷链配送 二十四小时 慢病建档 执业药师驻店 注射服务 送药上门'),
  group('MATERIAL', '素材用途', 'MULTI', 'purple', '用药指导 复诊提醒 饮食运动 心理支持 检查须知 节日问候'),
];

interface Bound {
  markId: string;
  markCode: string;
  objectType: string;
  objectId: string;
  source: string;
  at: string;
}

/** Tells the domains that keep copies of marks what the demonstration's doctors and medicines carry. */
export async function publishDemoMarks(writing: Writing, markIds: readonly string[]): Promise<void> {
  const { rows } = await sql<Bound>`
    select b.mark_id::text, m.mark_code, b.object_type, b.object_id::text, b.source, b.bound_at as at
      from content_mark_binding b join content_mark m on m.id = b.mark_id
     where b.ended_at is null and b.mark_id = any(${[...markIds]}::bigint[]) and b.object_type in ('DOCTOR', 'MEDICINE')
     order by b.id`.execute(writing.tx);
  await publishMarks(writing, markIds);
  await writing.publishMany(
    markBound,
    rows.map((row) => ({ aggregateId: `${row.objectType}:${row.objectId}:${row.markId}`, payload: row })),
  );
}

/** How many things of each kind carry marks. */
const OBJECTS = { PATIENT: 600, DOCTOR: 240, MEDICINE: 160, CHANNEL: 90, DRUGSTORE: 120, MATERIAL: 120 } as const;
const SOURCES = ['MANUAL', 'MANUAL', 'IMPORT'] as const;

interface Placed {
  id: string;
  mode: string;
  objectType: keyof typeof OBJECTS;
  marks: readonly string[];
}

async function writeGroups(tx: Tx, now: Instant): Promise<Placed[]> {
  const timestamps = { version: 1, createdAt: plusMs(now, -days(200)), updatedAt: plusMs(now, -days(30)) };
  const groupIds = await reserve(tx, 'content_tag_group', demoGroups.length);
  await bulk(
    tx,
    'content_tag_group',
    demoGroups.map((group, index) => ({
      id: groupIds[index]!,
      groupName: group.name,
      objectType: group.objectType,
      selectMode: group.mode,
      color: group.color,
      sensitive: group.sensitive ?? false,
      manualAllowed: true,
      maxPerObject: group.mode === 'MULTI' ? 5 : null,
      sortNo: index + 1,
      state: group.closed ? 'DISABLED' : 'ENABLED',
      ...timestamps,
    })),
  );
  const placed: Placed[] = [];
  const marks: Record<string, unknown>[] = [];
  for (const [index, group] of demoGroups.entries()) {
    const ids = await reserve(tx, 'content_mark', group.marks.length);
    placed.push({ id: groupIds[index]!, mode: group.mode, objectType: group.objectType, marks: ids });
    for (const [place, markName] of group.marks.entries()) {
      marks.push({
        id: ids[place]!,
        groupId: groupIds[index]!,
        markCode: await nextSerial(tx, 'BQ', 5),
        markName,
        pinyin: pinyinText(markName),
        color: group.color,
        description: `${group.name}：${markName}`,
        defaultDays: group.name === '运营活动' ? 90 : null,
        sortNo: place + 1,
        state: 'ENABLED',
        objectCount: 0,
        ...timestamps,
      });
    }
  }
  await bulk(tx, 'content_mark', marks);
  return placed;
}

/** Marks in turn on the first things of a kind: one of each group, of a group of several choices a second one on every third. */
function bindingsOf(group: Placed, turn: number, objects: readonly string[], now: Instant): Record<string, unknown>[] {
  const count = group.marks.length;
  return objects.flatMap((objectId, index) => {
    const first = (index + turn) % count;
    const second = group.mode === 'MULTI' && index % 3 === 0 ? [(first + 1) % count] : [];
    return [first, ...second].map((place) => ({
      markId: group.marks[place]!,
      groupId: group.id,
      objectType: group.objectType,
      selectMode: group.mode,
      objectId,
      source: SOURCES[(index + place) % SOURCES.length]!,
      boundAt: plusMs(now, -days(1 + ((index + turn * 7) % 120))),
      note: '',
    }));
  });
}

/** content.md §Demo data: tag groups, marks, and what carries them. */
export async function writeMarkDemo({ kernel, now, transaction }: DemoContext): Promise<void> {
  await transaction(async (writing) => {
    const { tx } = writing;
    const { rows: there } = await sql`select 1 from content_tag_group limit 1`.execute(tx);
    if (there.length > 0) return;
    const groups = await writeGroups(tx, now);
    const objects = new Map<string, string[]>();
    for (const [code, most] of Object.entries(OBJECTS)) {
      const found = (await kernel.registry.objectTypes.get(code)?.search(tx, everyone, '', most, now)) ?? [];
      objects.set(
        code,
        found.map(({ id }) => id),
      );
    }
    const bindings = groups.flatMap((group, turn) => bindingsOf(group, turn, objects.get(group.objectType) ?? [], now));
    const ids = await reserve(tx, 'content_mark_binding', bindings.length);
    await bulk(
      tx,
      'content_mark_binding',
      bindings.map((binding, index) => ({ id: ids[index]!, ...binding })),
    );
    await publishDemoMarks(
      writing,
      groups.flatMap(({ marks }) => marks),
    );
  });
}
