import { sql } from 'kysely';
import { dayOf, days, plusMs, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { plainStyle } from '../../contract/calls/codeFields.ts';
import { insertCode } from '../codes/save.ts';
import { drawSvg } from '../codes/draw.ts';
import { sumDays } from '../scans/sums.ts';
import { wayKeyOf } from '../wecom/codes/ways.ts';

const SURNAMES = '王李张刘陈杨赵黄周吴徐孙马朱胡林郭何高罗';
const GIVEN = ['静', '敏', '丽', '强', '磊', '洋', '艳', '勇', '娟', '涛'];
const MEMBERS = 40;
const CONTACTS = 1_200;
const RUNS = 60;

const nameOf = (index: number) => `${SURNAMES[index % SURNAMES.length]}${GIVEN[(index * 7) % GIVEN.length]}`;
const WORKDAYS = JSON.stringify([1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: '08:30', to: '18:30' })));

/** Two companies, 40 members (30 bound, 3 invalid), 14 live codes, 1,200 contacts, 60 sync runs, 2 transfers. */
export async function writeWecom(kernel: Kernel, tx: Tx, now: Instant): Promise<void> {
  const corp = async (corpId: string, name: string, mode: string, state: string, error: string | null) =>
    (
      await sql<{ id: string }>`
        insert into channel_wecom_corp (
          corp_id, name, mode, state, contact_secret, callback_token, encoding_aes_key, last_errcode, last_error, created_at, updated_at
        )
          values (
            ${corpId}, ${name}, ${mode}, ${state}, ${kernel.secrets.encrypt('demo-secret')}, ${kernel.secrets.encrypt('demoToken')},
            ${kernel.secrets.encrypt('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG')}, ${error ? 60020 : null}, ${error},
            ${plusMs(now, -days(120))}, ${now}
          )
          returning id`.execute(tx)
    ).rows[0]!.id;
  const local = await corp('ww_kangqiao_local', '康桥健康（本地模拟）', 'LOCAL', 'CONNECTED', null);
  const faulty = await corp('ww0000000000demo', '康桥服务', 'WECOM', 'ERROR', '服务器地址不在企业可信IP内');
  await sql`
    insert into channel_wecom_app (corp_row_id, agent_id, name, home_url, created_at, updated_at)
      values (${local}, '1000002', '康桥助手', 'https://h5.kangqiao.example/wecom', ${now}, ${now}),
        (${faulty}, '1000003', '客户中心', null, ${now}, ${now})`.execute(tx);

  const tags = await writeTags(tx, local, now);
  const { rows: staff } = await sql<{
    id: string;
  }>`select id from identity_staff_user where state = 'ENABLED' order by id limit 33`.execute(tx);
  for (let index = 0; index < MEMBERS; index += 1) {
    const bound = index < Math.min(30, staff.length);
    const invalid = !bound && index >= 30 && index < 33 && staff[index] !== undefined;
    const status = invalid ? 5 : index === 38 ? 4 : index === 39 ? 2 : 1;
    await sql`
      insert into channel_wecom_member (
        corp_row_id, wecom_user_id, name, mobile_masked, department_names, status, can_contact, staff_user_id, bind_state, bound_at,
        created_at, updated_at
      )
        values (
          ${local}, ${`demo${index + 1}`}, ${nameOf(index)}, ${`138****${String(1000 + index)}`}, ${[index % 2 ? '医助一组' : '客户服务部']},
          ${status}, ${status === 1}, ${bound || invalid ? staff[index]!.id : null}, ${bound ? 'BOUND' : invalid ? 'INVALID' : 'UNBOUND'},
          ${bound || invalid ? plusMs(now, -days(60)) : null}, ${plusMs(now, -days(100))}, ${now}
        )`.execute(tx);
    if (!invalid)
      await sql`
        insert into channel_wecom_local_member (corp_row_id, wecom_user_id, name, mobile_masked, department_names, status, can_contact)
          values (
            ${local}, ${`demo${index + 1}`}, ${nameOf(index)}, ${`138****${String(1000 + index)}`}, ${[index % 2 ? '医助一组' : '客户服务部']},
            ${status}, ${status === 1}
          )`.execute(tx);
  }
  const { rows: members } = await sql<{
    id: string;
  }>`select id from channel_wecom_member where corp_row_id = ${local} and status = 1 order by id`.execute(tx);
  const { rows: channels } = await sql<{ id: string }>`select id from channel_channel where state = 'ENABLED' order by id limit 14`.execute(
    tx,
  );
  const picture = `data:image/svg+xml;base64,${Buffer.from(drawSvg('https://work.weixin.qq.com/local/demo', { ...plainStyle, sizePx: 300 })).toString('base64')}`;
  const rows: { id: string; codeId: string; memberRowId: string; memberId: string }[] = [];
  for (let index = 0; index < 14; index += 1) {
    const name = index === 0 ? '医助接待码' : `企微活码${index + 1}`;
    const channelId = channels[index % channels.length]!.id;
    const state = index === 5 ? 'PAUSED' : index === 9 ? 'ERROR' : 'ACTIVE';
    const code = await insertCode(
      { tx },
      {
        kind: 'LIVE',
        name,
        channelId,
        target: { type: 'LIVE', url: null, appId: null, path: null, env: null, refId: null },
        params: {},
        style: plainStyle,
      },
      { now: plusMs(now, -days(80)), userId: null },
    );
    if (state === 'PAUSED') await sql`update channel_qr_code set state = 'DISABLED' where id = ${code.id}`.execute(tx);
    const { rows: live } = await sql<{ id: string }>`
      insert into channel_live_code (
        live_code_no, code_id, corp_row_id, channel_id, name, strategy, welcome, off_hours_text, tag_ids, state, created_at, updated_at
      )
        values (
          ${await nextNumber(tx, 'HM', dayOf(now))}, ${code.id}, ${local}, ${channelId}, ${name},
          ${['ROUND', 'LEAST', 'WEIGHT', 'SAME'][index % 4]},
          ${JSON.stringify({ text: '您好{客户昵称}，我是{成员姓名}，很高兴为您服务。', attachments: [] })}::jsonb, '服务时间为工作日8:30至18:30',
          ${[tags[index % tags.length]!]}::bigint[], ${state}, ${plusMs(now, -days(80))}, ${now}
        )
        returning id`.execute(tx);
    for (let place = 0; place < 4; place += 1) {
      const memberId = members[(index * 3 + place) % members.length]!.id;
      const ready = state !== 'ERROR';
      const backup = place === 3;
      const { rows: made } = await sql<{ id: string }>`
        insert into channel_live_code_member (
          live_code_id, member_id, weight, daily_limit, spans, is_backup, config_id, qr_url, way_state, way_error
        )
          values (
            ${live[0]!.id}, ${memberId}, ${place === 0 ? 3 : 1}, ${index === 0 && place === 0 ? 5 : 0},
            ${backup || index % 3 ? '[]' : WORKDAYS}::jsonb, ${backup}, ${ready ? `cfg${index}${place}` : null}, ${ready ? picture : null},
            ${ready ? 'READY' : 'FAILED'}, ${ready ? null : '成员没有客户联系权限（84074）'}
          )
          returning id`.execute(tx);
      rows.push({ id: live[0]!.id, codeId: code.id, memberRowId: made[0]!.id, memberId });
    }
  }
  await sql`
    insert into channel_live_member_day (live_code_member_id, day, shown, added)
      values (${rows[0]!.memberRowId}, ${dayOf(now)}, 9, 5)`.execute(tx);
  // Who was shown nine times was scanned nine times.
  await sql`
    insert into channel_qr_scan (
      code_id, token, channel_id, agent_id, live_member_id, at, visitor_id, ip_hash, client, os, is_new, counted, result
    )
      select q.id, q.token, q.channel_id, c.agent_id, ${rows[0]!.memberRowId},
          greatest(${now}::timestamptz - n * interval '7 minutes', (${dayOf(now)}::date::timestamp at time zone 'Asia/Shanghai')),
          substr(md5('live' || n), 1, 22), md5('ip live' || n), 'WECHAT', 'Android', true, true, 'OK'
        from channel_qr_code q
        join channel_channel c on c.id = q.channel_id
        cross join generate_series(1, 9) n
        where q.id = ${rows[0]!.codeId}`.execute(tx);
  await sql`update channel_qr_code set ok_count = 9, last_scan_at = ${now} where id = ${rows[0]!.codeId}`.execute(tx);
  await sumDays(tx, dayOf(now), dayOf(now));

  const contacts = Array.from({ length: CONTACTS }, (_, index) => {
    const row = rows[index % rows.length]!;
    const name = nameOf(index + 3);
    return {
      external_user_id: `wm_demo_${index}`,
      member_id: row.memberId,
      nick_cipher: kernel.secrets.encrypt(name),
      nick_masked: `${name[0]}*`,
      added_at: plusMs(now, -days(90) + ((index * 7_919) % 7_600) * 1_000_000),
      way_key: wayKeyOf(row.id, row.memberRowId),
      live_code_id: row.id,
      tag_ids: [tags[index % tags.length]!],
      status: index % 40 === 7 ? 'DELETED_BY_CUSTOMER' : index % 90 === 11 ? 'DELETED_BY_MEMBER' : 'ACTIVE',
      welcome_state: index % 50 === 3 ? 'EXPIRED' : index % 70 === 5 ? 'FAILED' : 'SENT',
    };
  });
  await sql`
    insert into channel_wecom_contact (
      corp_row_id, external_user_id, member_id, nick_cipher, nick_masked, added_at, way_key, live_code_id, tag_ids, status, welcome_state,
      created_at, updated_at
    )
    select ${local}, external_user_id, member_id, nick_cipher, nick_masked, added_at, way_key, live_code_id, tag_ids, status, welcome_state,
      added_at, added_at
    from jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb) as r(
      external_user_id text, member_id bigint, nick_cipher text, nick_masked text, added_at timestamptz, way_key text, live_code_id bigint,
      tag_ids bigint[], status text, welcome_state text
    )`.execute(tx);
  await sql`
    insert into channel_sync_run (corp_row_id, kind, trigger, total, done, added, changed, removed, errors, state, started_at, ended_at)
      select case when n = 17 then ${faulty}::bigint else ${local}::bigint end,
          case when n % 24 = 0 then 'CONTACT' when n % 24 = 1 then 'TAG' else 'MEMBER' end,
          case when n % 9 = 0 then 'MANUAL' else 'JOB' end, case when n = 17 then 0 else 40 end, case when n = 17 then 0 else 40 end, n % 3,
          n % 5, 0,
          case
            when n = 17 then '[{"ref":"ww0000000000demo","errcode":60020,"errmsg":"服务器地址不在企业可信IP内"}]'::jsonb
            when n in (11, 29, 47) then '[{"ref":"demo39","errcode":84061,"errmsg":"不存在外部联系人关系"}]'::jsonb
            else '[]'::jsonb
          end,
          case when n = 17 then 'FAILED' when n in (11, 29, 47) then 'PARTIAL' else 'SUCCESS' end,
          ${now}::timestamptz - n * interval '1 hour', ${now}::timestamptz - n * interval '1 hour' + interval '12 seconds'
        from generate_series(1, ${RUNS}::int) n
        order by n desc`.execute(tx);
  for (let index = 0; index < 2; index += 1) {
    const { rows: transfer } = await sql<{ id: string }>`
      insert into channel_contact_transfer (transfer_no, from_member_id, to_member_id, reason, created_at)
        values (
          ${await nextNumber(tx, 'KH', dayOf(now))}, ${members[index]!.id}, ${members[index + 5]!.id}, ${index ? 'LEAVE' : 'CHANGE'},
          ${plusMs(now, -days(6 + index))}
        )
        returning id`.execute(tx);
    await sql`
      insert into channel_contact_transfer_item (transfer_id, contact_id, state)
        select ${transfer[0]!.id}, id, case when row_number() over (order by id) % 4 = 0 then 'REFUSED' else 'DONE' end
          from channel_wecom_contact
          where member_id = ${members[index]!.id}
          order by id limit 12`.execute(tx);
  }
}

const TAGS = [
  ['意向等级', '重点关注'],
  ['意向等级', '一般关注'],
  ['来源', '门诊扫码'],
  ['来源', '药店扫码'],
  ['病种', '高血压'],
  ['病种', '糖尿病'],
] as const;

/** Tags of the simulated company, here and there. @returns ids. */
async function writeTags(tx: Tx, corpRowId: string, now: Instant): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, [group, name]] of TAGS.entries()) {
    await sql`
      insert into channel_wecom_local_tag (corp_row_id, tag_id, name, group_name)
        values (${corpRowId}, ${`tag${index + 1}`}, ${name}, ${group})`.execute(tx);
    const { rows } = await sql<{ id: string }>`
      insert into channel_wecom_tag (corp_row_id, tag_id, name, group_name, updated_at)
        values (${corpRowId}, ${`tag${index + 1}`}, ${name}, ${group}, ${now})
        returning id`.execute(tx);
    ids.push(rows[0]!.id);
  }
  return ids;
}
