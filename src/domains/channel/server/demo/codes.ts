import { sql } from 'kysely';
import { dayOf, days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { plainStyle } from '../../contract/calls/codeFields.ts';
import { newToken } from '../codes/token.ts';

const HOSTS = [
  ['h5.kangqiao.example', '患者端H5'],
  ['doctor.kangqiao.example', '医生端H5'],
  ['event.kangqiao.example', '活动页'],
] as const;
const BATCHES = ['READY', 'READY', 'READY', 'READY', 'PARTIAL', 'FAILED', 'CANCELLED', 'VOID', 'READY', 'READY', 'READY', 'READY'];
const COMMON = 900;
const AT_ONCE = 300;

export const target = (type: string, url: string | null, refId: string | null = null) => ({
  type,
  url,
  appId: null,
  path: null,
  env: null,
  refId,
});

interface DemoCode {
  name: string;
  channelId: string;
  kind?: string;
  batchId?: string;
  seq?: number;
  target: object;
  type: string;
  state?: string;
}

export const codeRow = (code: DemoCode, index: number, now: Instant) => ({
  token: newToken(),
  kind: code.kind ?? 'COMMON',
  name: code.name,
  channel_id: code.channelId,
  batch_id: code.batchId ?? null,
  seq_in_batch: code.seq ?? null,
  target: code.target,
  target_type: code.type,
  state: code.state ?? 'ACTIVE',
  created_at: plusMs(now, -days(90 - (index % 60))),
});

/** @returns ids in the order of the codes. */
export async function insertCodes(tx: Tx, codes: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < codes.length; at += AT_ONCE) {
    const { rows } = await sql<{ id: string }>`
      insert into channel_qr_code (
        token, kind, name, channel_id, batch_id, seq_in_batch, target, target_type, style, state, created_at, updated_at
      )
        select token, kind, name, channel_id, batch_id, seq_in_batch, target, target_type, ${JSON.stringify(plainStyle)}::jsonb, state,
            created_at, created_at
          from jsonb_to_recordset(${JSON.stringify(codes.slice(at, at + AT_ONCE))}::jsonb) as r(
            token text, kind text, name text, channel_id bigint, batch_id bigint, seq_in_batch int, target jsonb, target_type text,
            state text, created_at timestamptz
          )
          returning id`.execute(tx);
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** Hosts, 12 batches (one LIST of 140 drugstores), 900 common codes. */
export async function writeCodes(tx: Tx, now: Instant): Promise<void> {
  const today = dayOf(now);
  for (const [host, note] of HOSTS)
    await sql`
      insert into channel_code_host (host, note, enabled, created_at, updated_at) values (${host}, ${note}, true, ${now}, ${now})`.execute(
      tx,
    );
  const { rows: channels } = await sql<{ id: string }>`select id from channel_channel order by id`.execute(tx);
  const batches: { id: string; size: number; state: string; made: number }[] = [];
  for (const [index, state] of BATCHES.entries()) {
    const size = index === 3 ? 140 : 40;
    const made = state === 'FAILED' ? 0 : state === 'PARTIAL' ? size - 2 : size;
    const template = {
      channelId: channels[index]!.id,
      target: target('H5', 'https://h5.kangqiao.example/landing'),
      params: {},
      style: plainStyle,
      validFrom: null,
      validTo: null,
      scanLimit: null,
    };
    const { rows } = await sql<{ id: string }>`
      insert into channel_qr_batch (
        batch_no, name, mode, channel_id, quantity, template, name_pattern, done, failed, failures, state, fail_reason, created_at,
        updated_at
      )
        values (
          ${await nextNumber(tx, 'MP', today)}, ${index === 3 ? '药店门店码' : `物料批次${index + 1}`}, ${index === 3 ? 'LIST' : 'COUNT'},
          ${channels[index]!.id}, ${size}, ${JSON.stringify(template)}::jsonb, '{批次}-{序号4}', ${made}, ${size - made}, ${JSON.stringify(
            state === 'PARTIAL'
              ? [
                  { seq: 39, message: '图片生成失败：存储空间不足' },
                  { seq: 40, message: '图片生成失败：存储空间不足' },
                ]
              : [],
          )}::jsonb, ${state}, ${state === 'FAILED' ? '存储空间不足' : null}, ${plusMs(now, -days(80 - index * 6))}, ${now}
        )
        returning id`.execute(tx);
    batches.push({ id: rows[0]!.id, size, state, made });
  }
  const codes: object[] = [];
  const add = (code: DemoCode) => void codes.push(codeRow(code, codes.length, now));
  for (const [index, batch] of batches.entries()) {
    const lost = batch.state === 'VOID' || batch.state === 'CANCELLED' ? 'VOID' : 'ACTIVE';
    for (let seq = 1; seq <= batch.made; seq += 1)
      add({
        name: index === 3 ? `国康大药房${seq}号店` : `物料批次${index + 1}-${String(seq).padStart(4, '0')}`,
        channelId: channels[index]!.id,
        batchId: batch.id,
        seq,
        target: target('H5', 'https://h5.kangqiao.example/landing'),
        type: 'H5',
        state: lost,
      });
  }
  const kinds = [
    ['H5', 'https://event.kangqiao.example/health'],
    ['DOCTOR_REGISTER', 'https://doctor.kangqiao.example/register'],
    ['DESK', 'https://h5.kangqiao.example/desk'],
  ] as const;
  for (let index = 0; codes.length < COMMON; index += 1) {
    const [type, url] = kinds[index % kinds.length]!;
    add({
      name: index === 1 ? '医生注册码（周敏）' : `${['海报', '易拉宝', '名片', '台卡'][index % 4]}${index + 1}`,
      channelId: channels[index % channels.length]!.id,
      target: target(type, url),
      type,
      state: index % 37 === 5 ? 'DISABLED' : 'ACTIVE',
    });
  }
  await insertCodes(tx, codes);
  await correctTarget(tx, batches[3]!.id, now);
}

/** A shop's code was printed with the wrong page: it was led to the right one, and every later scan goes there. */
async function correctTarget(tx: Tx, batchId: string, now: Instant): Promise<void> {
  const [wrong, right] = ['https://event.kangqiao.example/spring', 'https://h5.kangqiao.example/landing'].map((url) =>
    JSON.stringify({ target: target('H5', url), params: {} }),
  );
  await sql`
    insert into channel_qr_target_history (code_id, before, after, user_id, at)
      select q.id, ${wrong}::jsonb, ${right}::jsonb, (select u.id from identity_staff_user u where u.user_name = 'chan_ops'),
          ${plusMs(now, -days(40))}
        from channel_qr_code q
        where q.batch_id = ${batchId} and q.seq_in_batch = 7`.execute(tx);
}
