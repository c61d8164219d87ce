import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { exportSource } from '../../../../kernel/server/exporting/source.ts';
import { exportUserInfoList } from '../../contract/calls/users.ts';
import type { UserView } from '../../contract/calls/users.ts';
import { employers } from '../../contract/dictionaries.ts';
import { identityPermissions } from '../../contract/permissions.ts';
import { staffUserStates } from '../../contract/states.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { readUsers, userQuery } from './list.ts';

type Row = UserView & { plainMobile: string | null };

const columns: readonly ExportColumn<Row>[] = [
  { key: 'opNo', label: '工号', value: (row) => row.opNo },
  { key: 'userName', label: '用户名', value: (row) => row.userName },
  { key: 'displayName', label: '姓名', value: (row) => row.displayName },
  { key: 'mobile', label: '手机号', sensitive: 'mobile', value: (row) => row.plainMobile },
  { key: 'departmentName', label: '部门', value: (row) => row.departmentName },
  { key: 'postName', label: '岗位', value: (row) => row.postName },
  { key: 'employer', label: '用工类型', dictionary: employers, value: (row) => row.employer },
  {
    key: 'roles',
    label: '角色',
    width: 40,
    value: (row) =>
      row.roles
        .filter(({ state }) => state === 'ENABLED')
        .map((role) => `${role.roleName}（${role.scopeText}）`)
        .join('；'),
  },
  { key: 'state', label: '状态', dictionary: staffUserStates.dictionary, value: (row) => row.state },
  { key: 'validFrom', label: '有效期起', kind: 'day', value: (row) => row.validFrom },
  { key: 'validTo', label: '有效期止', kind: 'day', value: (row) => row.validTo },
  { key: 'lastLoginAt', label: '最近登录', kind: 'instant', value: (row) => row.lastLoginAt },
  { key: 'lastLoginIp', label: '最近登录IP', value: (row) => row.lastLoginIp },
  { key: 'createdAt', label: '创建时间', kind: 'instant', value: (row) => row.createdAt },
];

export const userExport = (core: IdentityCore) =>
  exportSource({
    call: exportUserInfoList,
    title: '用户管理',
    routeKey: 'userManagement',
    permission: identityPermissions['user.export'].code,
    columns,
    describe: (filter) =>
      [
        filter.userName && `用户名含“${filter.userName}”`,
        filter.displayName && `姓名含“${filter.displayName}”`,
        filter.opNo && `工号 ${filter.opNo}`,
        filter.departmentName && `部门含“${filter.departmentName}”`,
        filter.state?.length && `状态 ${filter.state.map((state) => staffUserStates.dictionary.label(state)).join('、')}`,
        filter.neverLoggedIn && '从未登录',
      ]
        .filter(Boolean)
        .join('；') || '全部',
    count: async ({ db, filter }) =>
      Number(
        (
          await userQuery(core.kernel, db, filter)
            .select(({ fn }) => fn.countAll<string>().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      ),
    async *chunks({ db, filter, now }) {
      for await (const users of chunksDown((before, limit) =>
        readUsers(core, db, userQuery(core.kernel, db, filter).where('u.id', '<', before), { limit, offset: 0 }, now),
      )) {
        const ciphers = await own(db)
          .selectFrom('identityStaffUser')
          .select(['id', 'mobileCipher'])
          .where(
            'id',
            'in',
            users.map(({ id }) => id),
          )
          .execute();
        const mobiles = new Map(
          ciphers.map(({ id, mobileCipher }) => [id, mobileCipher === null ? null : core.kernel.secrets.decrypt(mobileCipher)]),
        );
        yield users.map((user): Row => ({ ...user, plainMobile: mobiles.get(user.id) ?? null }));
      }
    },
  });
