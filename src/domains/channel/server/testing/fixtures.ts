import { sql } from 'kysely';
import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addChannel } from '../../contract/calls/channels.ts';
import { addQrCode, saveCodeHost } from '../../contract/calls/codes.ts';
import { plainStyle } from '../../contract/calls/codeFields.ts';
import { addSceneCode } from '../../contract/calls/scenes.ts';
import { addChannelVip, auditChannelVip, submitChannelVip } from '../../contract/calls/vips.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { CONTRACT_PURPOSE } from '../../contract/purposes.ts';
import type { RefKind } from '../refs/copies.ts';

let counter = 0;
export const fresh = (text: string) => `${text}${(counter += 1)}`;
const nextId = () => String(700_000 + (counter += 1));

const all = Object.values(channelPermissions).map(({ code }) => code);
/** Somebody who may do everything here. */
export const operator = (app: TestApp, scope = {}): Promise<TestStaff> => app.staff({ permissions: all, scope });

/** A copy of another domain's record. */
export async function makeCopy(
  app: TestApp,
  kind: RefKind,
  facts: { name?: string; usable?: boolean; facts?: object } = {},
): Promise<string> {
  const id = nextId();
  await sql`
    insert into channel_ref_copy (kind, ref_id, name, usable, facts, updated_at)
      values (
        ${kind}, ${id}, ${facts.name ?? fresh('引用')}, ${facts.usable ?? true}, ${JSON.stringify(facts.facts ?? {})}::jsonb,
        ${app.clock.now()}
      )`.execute(app.db);
  return id;
}

export async function makeChannel(app: TestApp, change: Partial<InputOf<typeof addChannel>> = {}) {
  const as = await operator(app);
  const { id, no } = await app.ok(addChannel, { channelType: 'ACTIVITY', name: fresh('渠道'), startDate: '2026-01-01', ...change }, { as });
  return { id, no };
}

export async function allowHost(app: TestApp, host = 'h5.kangqiao.test'): Promise<void> {
  const { rows } = await sql`select 1 from channel_code_host where host = ${host}`.execute(app.db);
  if (rows.length === 0) await app.ok(saveCodeHost, { host, enabled: true }, { as: await operator(app) });
}

export const target = { type: 'H5', url: 'https://h5.kangqiao.test/page?a=1' } as const;
export const style = plainStyle;

export async function makeCode(app: TestApp, change: Partial<InputOf<typeof addQrCode>> = {}) {
  await allowHost(app);
  const channelId = String(change.channelId ?? (await makeChannel(app)).id);
  const { id, no: token } = await app.ok(addQrCode, { name: fresh('二维码'), target, ...change, channelId }, { as: await operator(app) });
  return { id, token, channelId };
}

export const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) MicroMessenger/8.0';

/** Opens a code as a phone would. */
export const scan = (
  app: TestApp,
  token: string,
  options: { cookie?: string; agent?: string; method?: 'GET' | 'HEAD'; ip?: string; query?: string; headers?: Record<string, string> } = {},
) =>
  app.inject({
    method: options.method ?? 'GET',
    url: `/q/${token}${options.query ?? ''}`,
    remoteAddress: options.ip ?? '203.0.113.7',
    headers: { 'user-agent': options.agent ?? PHONE, ...(options.cookie ? { cookie: options.cookie } : {}), ...options.headers },
  });

/** Cookie header that a first answer sets. */
export const cookieOf = (answer: Awaited<ReturnType<typeof scan>>): string =>
  /kq_v=[\w-]+/.exec(answer.headers['set-cookie'] ?? '')?.[0] ?? '';
export const scanTokenOf = (answer: Awaited<ReturnType<typeof scan>>): string =>
  new URL(answer.headers['location']!).searchParams.get('st')!;

export async function makeContract(app: TestApp, as: TestStaff): Promise<string> {
  const body = Buffer.from(fresh('%PDF-1.4 '));
  const stored = await app.kernel.transactions.run('test', ({ tx }) =>
    app.kernel.ports.files.store(
      tx,
      { purpose: CONTRACT_PURPOSE, name: '协议.pdf', body, contentType: 'application/pdf', createdBy: as.userId },
      app.clock.now(),
    ),
  );
  return stored.fileId;
}

export const vipTerms = {
  level: 'GOLD',
  sponsorName: '康桥药业',
  defaultDiscountBp: 1250,
  priorityAcceptMin: 30,
  totalBudgetFen: 1_000_000,
  startDate: '2026-11-01',
  endDate: '2027-10-31',
} as const;

export async function makeVip(app: TestApp, change: Partial<InputOf<typeof addChannelVip>> = {}, contract = true) {
  const as = await operator(app);
  const channelId = String(change.channelId ?? (await makeChannel(app)).id);
  const contractFileIds = contract ? [await makeContract(app, as)] : [];
  const { id } = await app.ok(addChannelVip, { ...vipTerms, contractFileIds, ...change, channelId }, { as });
  return { id, channelId, as };
}

/** A VIP row in force, made and approved by two people. */
export async function liveVip(app: TestApp, change: Partial<InputOf<typeof addChannelVip>> = {}) {
  const vip = await makeVip(app, change);
  await app.ok(submitChannelVip, { id: vip.id, version: 1 }, { as: vip.as });
  await app.ok(auditChannelVip, { id: vip.id, version: 2, action: 'approve' }, { as: await operator(app) });
  return vip;
}

export async function makeSceneCode(app: TestApp, change: Partial<InputOf<typeof addSceneCode>> = {}) {
  const channelId = String(change.channelId ?? (await makeChannel(app)).id);
  const sceneId =
    change.sceneId ??
    (await makeCopy(app, 'SCENE', { name: fresh('高血压随访'), facts: { diseaseId: '1', diseaseName: '高血压', chatFlag: 2 } }));
  const doctorId = change.doctorId === undefined ? await makeCopy(app, 'DOCTOR', { name: '李文博' }) : change.doctorId;
  const { id, no } = await app.ok(addSceneCode, { entry: 'AUTO', ...change, channelId, sceneId, doctorId }, { as: await operator(app) });
  const { rows } = await sql<{
    token: string;
  }>`select q.token from channel_scene_code s join channel_qr_code q on q.id = s.code_id where s.id = ${id}`.execute(app.db);
  return { id, no, channelId, sceneId, doctorId, token: rows[0]!.token };
}
