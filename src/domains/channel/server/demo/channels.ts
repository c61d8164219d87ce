import { sql } from 'kysely';
import { dayOf, plusDays, plusMs, days, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { channelTypes, ownerless, type ChannelType } from '../../contract/dictionaries.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';

const AREAS = ['330100', '310100', '320100', '110100', '440100', '510100'] as const;
const CITIES = ['杭州', '上海', '南京', '北京', '广州', '成都'] as const;
const OWNERS: Record<ChannelType, readonly string[]> = {
  AGENT: ['康桥药业', '恒泰医药'],
  COMPANY: ['康桥药业心血管线', '恒泰医药糖尿病线'],
  HOSPITAL: ['浙江大学医学院附属第一医院', '上海市第六人民医院'],
  DRUGSTORE: ['国康大药房', '百姓堂药店'],
  INSURER: ['泰和人寿', '安泽健康险'],
  ACTIVITY: [''],
  ONLINE: [''],
  WECOM: ['企业微信服务号'],
  OTHER: [''],
};
/** Representatives of the demonstration; the first is 周敏. */
const AGENTS = [11, 8, 9, 10] as const;
const TOPS = ['地推', '合作项目', '门诊', '连锁', '健康险', '义诊周', '信息流', '客服', '合作'];

/** 60 channels: every type, three levels, six expired, five disabled. */
export async function writeChannels(tx: Tx, now: Instant): Promise<void> {
  const today = dayOf(now);
  let made = 0;
  const add = async (channel: {
    name: string;
    type: ChannelType;
    parent: { id: string; path: string[] } | null;
    agentId: number | null;
    area: number;
    state: string;
  }) => {
    const { rows: next } = await sql<{ id: string }>`select nextval(pg_get_serial_sequence('channel_channel', 'id'))::text as id`.execute(
      tx,
    );
    const { id } = next[0]!;
    const path = [...(channel.parent?.path ?? []), id];
    const owner = OWNERS[channel.type][made % OWNERS[channel.type].length];
    const start = plusDays(today, -200 + made);
    const end = channel.state === 'EXPIRED' ? plusDays(today, -3) : made % 3 === 0 ? plusDays(today, 200) : null;
    await sql`
      insert into channel_channel (
        id, channel_no, parent_id, path, depth, name, channel_type, owner_name, agent_id, adcode, start_date, end_date, cost_fen, remark,
        state, created_at, updated_at
      ) overriding system value
        values (
          ${id}, ${await nextNumber(tx, 'QD', today)}, ${channel.parent?.id ?? null}, ${path}::bigint[], ${path.length}, ${channel.name},
          ${channel.type}, ${ownerless.includes(channel.type) ? null : owner}, ${channel.agentId}, ${AREAS[channel.area % AREAS.length]},
          ${start}, ${end}, ${made % 2 === 0 ? 500_000 + made * 10_000 : 0}, '', ${channel.state}, ${plusMs(now, -days(200 - made))}, ${now}
        )`.execute(tx);
    made += 1;
    return { id, path };
  };
  for (const [index, type] of channelTypes.codes.entries()) {
    const agentId = type === 'AGENT' ? AGENTS[0] : null;
    const top = await add({
      name: `${channelTypes.label(type)}${TOPS[index]}`,
      type,
      parent: null,
      agentId,
      area: index,
      state: 'ENABLED',
    });
    for (let second = 0; second < 2; second += 1) {
      const middle = await add({
        name: type === 'AGENT' && second === 0 ? '浙一心内科地推' : `${CITIES[(index + second) % CITIES.length]}${TOPS[index]}`,
        type,
        parent: top,
        agentId: agentId === null ? null : AGENTS[second]!,
        area: index + second,
        state: 'ENABLED',
      });
      const groups = index === 8 || (index === 7 && second === 1) ? 1 : 2;
      for (let third = 0; third < groups; third += 1) {
        const state = made % 10 === 4 ? 'EXPIRED' : made % 11 === 6 ? 'DISABLED' : 'ENABLED';
        await add({
          name: `${CITIES[(index + second) % CITIES.length]}${['一组', '二组'][third]}`,
          type,
          parent: middle,
          agentId: agentId === null ? null : AGENTS[third + 2]!,
          area: index + third,
          state,
        });
      }
    }
  }
}
