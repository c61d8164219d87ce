import type { Insertable } from 'kysely';
import { randomBytes } from 'node:crypto';
import { days, hours, minutes, plusMs, dayOf, plusDays, type Instant } from '#kernel/contract/time.ts';
import type { LogKind } from '#kernel/contract/call.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { json, own } from '../database.ts';
import { logColumns } from '../log/writer.ts';
import { deviceLabelOf } from '../session/device.ts';
import { hashToken, newToken } from '../session/tokens.ts';
import type { WrittenPerson } from './writePeople.ts';
import type { IdentityLoginLog, IdentitySession } from '../tables.ts';

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0';
const SAFARI = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15';
const agents = [CHROME, EDGE, SAFARI];

interface Act {
  kind: LogKind;
  call: string;
  label: string;
  page: string;
  target: string;
  field?: [path: string, label: string, before: string, after: string];
}
const actions: readonly Act[] = [
  { kind: 'AUTH', call: 'admin/UserInfoService/loginIn', label: '登录', page: 'login', target: 'staffUser' },
  {
    kind: 'WRITE',
    call: 'admin/UserInfoService/modifyUserInfo',
    label: '修改员工用户',
    page: 'userManagement',
    target: 'staffUser',
    field: ['departmentName', '部门', '客户服务部', '入组审核部'],
  },
  {
    kind: 'WRITE',
    call: 'admin/UserRoleService/addUserRole',
    label: '分配角色',
    page: 'userManagement',
    target: 'userRole',
    field: ['role', '角色', '', '客服'],
  },
  { kind: 'REVEAL', call: 'admin/UserInfoService/revealUserMobile', label: '查看员工手机号', page: 'userManagement', target: 'staffUser' },
  {
    kind: 'WRITE',
    call: 'admin/RoleInfoService/modifyRoleInfo',
    label: '修改角色',
    page: 'editRole',
    target: 'role',
    field: ['description', '说明', '客服', '代客录入、售后与查询'],
  },
  {
    kind: 'EXPORT',
    call: 'admin/UserInfoService/exportUserInfoList',
    label: '导出员工用户',
    page: 'userManagement',
    target: 'files.exportTask',
  },
  {
    kind: 'DOWNLOAD',
    call: 'admin/ExportService/downloadExportFile',
    label: '下载导出文件',
    page: 'downloadList',
    target: 'files.exportTask',
  },
  {
    kind: 'IMPORT',
    call: 'admin/UserInfoService/importUserInfo',
    label: '导入员工用户',
    page: 'userManagement',
    target: 'files.importTask',
  },
  {
    kind: 'WRITE',
    call: 'admin/SceneInfoService/addScene',
    label: '新增场景',
    page: 'corpus',
    target: 'corpus.scene',
    field: ['sceneName', '场景名称', '', '术后随访'],
  },
  { kind: 'AUTH', call: 'admin/UserInfoService/modifyCancelUserInfo', label: '退出登录', page: '', target: 'staffUser' },
  { kind: 'SYSTEM', call: 'job/identity.anchorOperationLog', label: '操作日志锚点', page: '', target: 'logAnchor' },
];

/** 400 rows of the last fourteen days in all kinds, a few of them refused. */
export async function writeLogs(kernel: Kernel, tx: Tx, people: readonly WrittenPerson[], now: Instant): Promise<void> {
  const active = people.filter(({ state, userRoleId }) => state === undefined && userRoleId !== null);
  const first = Date.parse(now) - days(14) + hours(1);
  const step = (Date.parse(now) - minutes(30) - first) / 400;
  const rows = Array.from({ length: 400 }, (_, index) => {
    const act = actions[index % actions.length]!;
    const person = active[(index * 7) % active.length]!;
    const other = people[(index * 11) % people.length]!;
    const refused = index % 23 === 9;
    const isJob = act.kind === 'SYSTEM';
    return logColumns(kernel.secrets, {
      at: new Date(Math.round(first + index * step)).toISOString(),
      traceId: randomBytes(8).toString('hex'),
      durationMs: 8 + ((index * 13) % 90),
      staff: isJob
        ? null
        : {
            userId: person.id,
            userName: person.userName,
            displayName: person.displayName,
            opNo: person.opNo,
            sessionId: '',
            sessionEndsAt: null,
            restricted: false,
            smsVerifiedAt: null,
            userRoleId: person.userRoleId,
            roleCode: person.roleCode,
            roleName: null,
            permissions: new Set(),
            scope: { own: false, region: null, insurer: null, channel: null },
          },
      apiClientId: null,
      jobName: isJob ? 'identity.anchorOperationLog' : null,
      call: act.call,
      label: act.label,
      kind: act.kind,
      targets: [{ type: act.target, id: other.id, no: act.target === 'staffUser' ? other.opNo : other.id }],
      diff: act.field ? [{ path: act.field[0], label: act.field[1], before: act.field[2], after: act.field[3] }] : [],
      input: { id: other.id },
      resultCode: refused ? 'SCM90010' : '0000000',
      message: refused ? '没有权限：维护菜单' : '',
      ip: isJob ? '' : `10.20.${index % 4}.${20 + (index % 40)}`,
      userAgent: isJob ? '' : agents[index % 3]!,
      menuRouteKey: act.page || null,
      idempotencyKey: null,
    });
  });
  await own(tx).insertInto('identityOperationLog').values(rows).execute();
}

const results = [
  'OK',
  'OK',
  'OK',
  'BAD_PASSWORD',
  'OK',
  'BAD_CODE',
  'OK',
  'OK',
  'LOCKED',
  'OK',
  'DISABLED',
  'OK',
  'EXPIRED_TEMP',
  'OK',
  'RATE',
] as const;

/** 120 rows of the last ten days with every result; the stories' own lines last. */
export async function writeLogins(tx: Tx, people: readonly WrittenPerson[], now: Instant): Promise<void> {
  const named = (userName: string) => people.find((person) => person.userName === userName)!;
  const line = (
    person: WrittenPerson | null,
    userName: string,
    at: Instant,
    result: IdentityLoginLog['result'],
    more: { method?: IdentityLoginLog['method']; ip?: string; agent?: string; abnormal?: string[] } = {},
  ): Insertable<IdentityLoginLog> => ({
    at,
    userName,
    userId: person?.id ?? null,
    method: more.method ?? 'PASSWORD',
    result,
    ip: more.ip ?? '10.20.1.35',
    userAgent: more.agent ?? CHROME,
    deviceLabel: deviceLabelOf(more.agent ?? CHROME),
    abnormal: json(more.abnormal ?? []),
  });
  const story = [
    ...[50, 47, 44, 41].map((ago) =>
      line(named('wujing'), 'wujing', plusMs(now, -hours(20) - minutes(ago)), 'BAD_PASSWORD', { ip: '10.20.2.88' }),
    ),
    line(named('wujing'), 'wujing', plusMs(now, -hours(20) - minutes(38)), 'LOCKED', { ip: '10.20.2.88' }),
    line(named('qianwei'), 'qianwei', plusMs(now, -hours(2)), 'DISABLED', { ip: '172.16.8.14' }),
    line(named('liming'), 'liming', plusMs(now, -hours(3)), 'OK', { ip: '10.20.1.61' }),
    line(named('liming'), 'liming', plusMs(now, -hours(1)), 'OK', { ip: '172.16.3.9', agent: SAFARI, abnormal: ['NEW_IP', 'NEW_DEVICE'] }),
    ...[9, 8, 7, 6, 5].map((ago) => line(named('waiting'), 'waiting', plusMs(now, -minutes(ago)), ago === 5 ? 'LOCKED' : 'BAD_PASSWORD')),
  ];
  const usual = Array.from({ length: 120 - story.length }, (_, index) => {
    const result = results[index % results.length]!;
    const stranger = index % 29 === 3;
    const person = people[(index * 5) % people.length]!;
    const at = plusMs(now, -hours(4 + index * 2.1));
    const night = new Date(Date.parse(at) + hours(8)).getUTCHours() < 6;
    return line(stranger ? null : person, stranger ? 'administrator' : person.userName, at, stranger ? 'BAD_PASSWORD' : result, {
      method: result === 'BAD_CODE' ? 'SMS' : 'PASSWORD',
      ip: `10.20.${index % 4}.${20 + (index % 40)}`,
      agent: agents[index % 3]!,
      abnormal: result === 'OK' ? [...(night ? ['NIGHT'] : []), ...(index % 17 === 0 ? ['NEW_IP'] : [])] : [],
    });
  });
  await own(tx)
    .insertInto('identityLoginLog')
    .values([...usual, ...story].sort((a, b) => a.at.localeCompare(b.at)))
    .execute();
}

/** Six live sessions, and the one of 李明 that his own login from a second device replaced. */
export async function writeSessions(tx: Tx, people: readonly WrittenPerson[], now: Instant): Promise<void> {
  const live = ['admin', 'claim_a', 'svc_a', 'corpus_ops', 'audit_a', 'liming'];
  const session = (userName: string, index: number, ended: boolean): Insertable<IdentitySession> => {
    const issuedAt = plusMs(now, -hours(ended ? 3 : 1) - minutes(index * 9));
    const seen = plusMs(now, -minutes(ended ? 61 : 2 + index * 6));
    const agent = agents[(index + (ended ? 0 : 1)) % 3]!;
    return {
      tokenHash: hashToken(newToken()),
      userId: people.find((person) => person.userName === userName)!.id,
      method: 'PASSWORD',
      issuedAt,
      lastSeenAt: seen,
      rotatedAt: issuedAt,
      idleExpiresAt: plusMs(seen, hours(2)),
      absoluteExpiresAt: plusMs(issuedAt, hours(12)),
      ip: `10.20.1.${30 + index}`,
      userAgent: agent,
      deviceLabel: deviceLabelOf(agent),
      ...(ended ? { endedAt: plusMs(now, -hours(1)), endReason: 'REPLACED' } : {}),
    };
  };
  await own(tx)
    .insertInto('identitySession')
    .values([session('liming', 5, true)])
    .execute();
  await own(tx)
    .insertInto('identitySession')
    .values(live.map((userName, index) => session(userName, index, false)))
    .execute();
}

/** The days before today that have log rows, oldest first. */
export const loggedDays = (now: Instant): string[] => Array.from({ length: 13 }, (_, index) => plusDays(dayOf(now), index - 13));
