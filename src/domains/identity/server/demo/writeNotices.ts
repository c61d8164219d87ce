import { randomBytes } from 'node:crypto';
import { dayOf, days, hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { json, own } from '../database.ts';
import type { WrittenPerson } from './writePeople.ts';
import type { IdentityApiClient } from '../tables.ts';
import { rightsOf } from '../apiClients/rights.ts';

interface DemoNotice {
  kind: 'ANNOUNCE' | 'TODO' | 'ALERT' | 'RESULT';
  title: string;
  body: string;
  level?: 'INFO' | 'WARN' | 'URGENT';
  audience: object;
  link?: string;
  hoursAgo: number;
  state?: 'DRAFT' | 'PUBLISHED' | 'REVOKED' | 'DONE';
}

const notices = (id: (userName: string) => string): readonly DemoNotice[] => [
  {
    kind: 'ANNOUNCE',
    title: '康桥管理后台上线通知',
    body: '新版管理后台已上线，请各部门核对本部门人员与角色。如有疑问请联系信息技术部。',
    audience: { all: true },
    hoursAgo: 240,
  },
  {
    kind: 'ANNOUNCE',
    title: '密码安全提醒',
    level: 'WARN',
    body: '请勿将密码告知他人，密码每90天需更换一次。可在右上角个人中心修改密码。',
    audience: { all: true },
    link: '/editUsePwd',
    hoursAgo: 120,
  },
  {
    kind: 'ANNOUNCE',
    title: '语料库场景命名规范',
    body: '场景名称不超过32个字，请按“病种阶段＋触达目的”命名。',
    audience: { roleCodes: ['CORPUS_OPS', 'MEDICAL_AUDIT'] },
    link: '/corpus',
    hoursAgo: 72,
  },
  {
    kind: 'ANNOUNCE',
    title: '周末系统维护公告',
    level: 'URGENT',
    body: '本周六22:00至24:00进行数据库维护，期间系统暂停服务。',
    audience: { all: true },
    hoursAgo: 30,
    state: 'REVOKED',
  },
  {
    kind: 'ANNOUNCE',
    title: '理赔材料审核要点（草稿）',
    body: '待医学部确认后发布。',
    audience: { roleCodes: ['CLAIM_FIRST', 'CLAIM_SECOND'] },
    hoursAgo: 20,
    state: 'DRAFT',
  },
  {
    kind: 'ALERT',
    title: '账号已锁定：罗刚',
    level: 'WARN',
    body: '该账号24小时内多次被锁定，需人工解锁。',
    audience: { permission: 'identity.user.unlock' },
    link: '/userManagement?state=LOCKED',
    hoursAgo: 3,
  },
  {
    kind: 'ALERT',
    title: '外包人员账号有效期已到',
    level: 'WARN',
    body: '钱伟（外包客服）的账号有效期已于昨日结束，如需继续使用请调整有效期。',
    audience: { permission: 'identity.user.edit' },
    link: '/userManagement?userName=qianwei',
    hoursAgo: 10,
  },
  {
    kind: 'TODO',
    title: '新员工账号待激活：石磊',
    body: '请通知本人使用临时密码登录并修改密码。',
    audience: { permission: 'identity.user.edit' },
    link: '/userManagement?state=PENDING',
    hoursAgo: 8,
  },
  {
    kind: 'TODO',
    title: '贺新尚未分配角色',
    body: '该员工登录后没有可用菜单，请分配角色。',
    audience: { permission: 'identity.user.edit' },
    link: '/userManagement?userName=norole',
    hoursAgo: 7,
  },
  {
    kind: 'TODO',
    title: '核对角色互斥规则',
    body: '季度复核：请核对角色互斥规则与任职。',
    audience: { roleCodes: ['SEC_ADMIN', 'SYS_ADMIN'] },
    link: '/roleManagement',
    hoursAgo: 90,
    state: 'DONE',
  },
  {
    kind: 'RESULT',
    title: '操作日志链校验一致',
    body: '最近14天的操作日志校验一致。',
    audience: { userIds: [id('audit_a')] },
    link: '/operationLog?tab=chain',
    hoursAgo: 5,
  },
  {
    kind: 'RESULT',
    title: '员工用户导出完成',
    body: '导出文件可在下载中心下载。',
    audience: { userIds: [id('sys_a'), id('admin')] },
    link: '/downloadList',
    hoursAgo: 26,
  },
];

export async function writeNotices(tx: Tx, people: readonly WrittenPerson[], now: Instant): Promise<void> {
  const id = (userName: string) => people.find((person) => person.userName === userName)!.id;
  for (const notice of notices(id)) {
    const at = plusMs(now, -hours(notice.hoursAgo));
    const state = notice.state ?? 'PUBLISHED';
    await own(tx)
      .insertInto('identityNotice')
      .values({
        noticeNo: await nextNumber(tx, 'TZ', dayOf(at)),
        kind: notice.kind,
        title: notice.title,
        body: notice.body,
        level: notice.level ?? 'INFO',
        audience: json(notice.audience),
        link: notice.link ?? null,
        publishAt: state === 'DRAFT' ? null : at,
        state,
        createdAt: at,
        createdBy: notice.kind === 'ANNOUNCE' ? id('sys_a') : null,
        updatedAt: at,
      })
      .execute();
  }
}

/** Three callers; the insurer's key is being changed, so it has two. */
export async function writeApiClients(kernel: Kernel, tx: Tx, now: Instant): Promise<void> {
  const key = (keyId: string, at: Instant, expiresAt: Instant | null) => ({
    keyId,
    secretCipher: kernel.secrets.encrypt(randomBytes(32).toString('base64url')),
    createdAt: at,
    expiresAt,
  });
  const month = plusMs(now, -days(30));
  const scope = json({ own: false, region: null, insurer: null, channel: null });
  const rightsFor = (party: IdentityApiClient['party']) =>
    rightsOf(kernel)
      .filter(({ parties }) => parties.includes(party))
      .map(({ permission }) => permission);
  const client = (
    clientId: string,
    name: string,
    party: IdentityApiClient['party'],
    keys: object[],
    ipAllow: string[],
    ratePerMin: number,
    permissions: readonly string[] = [],
  ) => ({
    clientId,
    name,
    party,
    partyId: null,
    keys: json(keys),
    permissions: json(permissions),
    scope,
    ipAllow: json(ipAllow),
    ratePerMin,
    state: 'ENABLED' as const,
    lastUsedAt: plusMs(now, -hours(2)),
    createdAt: month,
    updatedAt: month,
  });
  await own(tx)
    .insertInto('identityApiClient')
    .values([
      {
        ...client(
          'zhongan',
          '众安保险',
          'INSURER',
          [key('K1', month, plusMs(now, days(3))), key('K2', plusMs(now, -days(1)), null)],
          ['203.0.113.0/24'],
          600,
          rightsFor('INSURER'),
        ),
        partyId: '1',
      },
      client('supplier-hd', '华东仓配供应商', 'SUPPLIER', [key('K1', month, null)], ['198.51.100.12', '198.51.100.13'], 300),
      client('mini-app', '康桥小程序', 'MINI_APP', [key('K1', month, null)], ['10.0.0.0/8'], 3000, rightsFor('MINI_APP')),
    ])
    .execute();
  await own(tx)
    .insertInto('identityApiClientDay')
    .columns(['apiClientId', 'day', 'calls', 'failed'])
    .expression(
      own(tx)
        .selectFrom('identityApiClient')
        .select(({ val }) => ['id', val(dayOf(now)).$castTo<string>().as('day'), val(128).as('calls'), val(3).as('failed')]),
    )
    .execute();
}
