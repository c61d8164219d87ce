import { todayHere } from '#kernel/web/form/today.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { send } from '#kernel/web/http/client.ts';
import { Dict, NOTHING } from '#kernel/web/kit/values.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { queryUserInfoList, revealUserMobile } from '../../contract/calls/users.ts';
import type { UserView } from '../../contract/calls/users.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { staffUserStates } from '../../contract/states.ts';
import { DutyMark } from '../shared/DutyMark.tsx';
import { Mark } from '../shared/Mark.tsx';
import { RoleSelect } from '../shared/RoleSelect.tsx';

export const isTimedLocked = (user: UserView): boolean => user.lockedUntil !== null && Date.parse(user.lockedUntil) > Date.now();

const validity = (from: string | null, to: string | null): string => (from || to ? `${from ?? '不限'} 至 ${to ?? '不限'}` : '长期');

const isPast = ({ validTo }: UserView): boolean => validTo !== null && validTo < todayHere();
const validityText = (user: UserView): string => validity(user.validFrom, user.validTo) + (isPast(user) ? '（已过期）' : '');

/** The list of staff users: columns and filters. */
export const userList = resource(queryUserInfoList, {
  routeKey: 'userManagement',
  empty: '没有符合条件的用户，请调整筛选条件或点击“新增”',
  filters: [
    'userName',
    'displayName',
    'state',
    'opNo',
    { name: 'mobile', placeholder: '完整手机号' },
    'departmentName',
    { kind: 'picker', name: 'roleId', picker: RoleSelect },
    'employer',
    { kind: 'instants', names: ['lastLoginFrom', 'lastLoginTo'], label: '最近登录' },
    'neverLoggedIn',
    'validBefore',
    'dutyConflict',
  ],
  columns: [
    { key: 'opNo', width: 90, required: true },
    { key: 'userName', width: 120 },
    { key: 'displayName', width: 110, required: true },
    {
      key: 'mobile',
      masked: { permission: may['user.reveal'], reveal: async (row) => (await send(revealUserMobile, { id: row.id })).mobile ?? NOTHING },
    },
    { key: 'department', title: '部门/岗位', width: 150, value: (row) => [row.departmentName, row.postName].filter(Boolean).join(' / ') },
    { key: 'roles', width: 220, render: (row) => <Roles user={row} /> },
    { key: 'state', width: 130, render: (row) => <State user={row} /> },
    { key: 'employer', plain: true, width: 90, hidden: true },
    {
      key: 'validity',
      title: '有效期',
      width: 130,
      kind: 'custom',
      value: validityText,
      render: (row) => <span className={isPast(row) ? 'kq-number kq-danger' : 'kq-number'}>{validityText(row)}</span>,
    },
    'lastLoginAt',
    { key: 'lastLoginIp', hidden: true },
    'createdAt',
  ],
});

function Roles({ user }: { user: UserView }) {
  if (user.roles.length === 0) return <span className="kq-muted">未分配</span>;
  return (
    <span className="id-tags">
      <DutyMark conflicts={user.duties} />
      {user.roles.map((role) => (
        <Mark
          key={role.id}
          tone={role.state === 'DISABLED' ? 'default' : 'processing'}
          title={`数据范围：${role.scopeText}；有效期：${validity(role.validFrom, role.validTo)}${role.state === 'DISABLED' ? '；已停用' : ''}`}
        >
          {role.roleName}
        </Mark>
      ))}
    </span>
  );
}

function State({ user }: { user: UserView }) {
  return (
    <span
      className="id-tags"
      title={user.disabledReason ? `原因：${user.disabledReason}` : user.leftOn ? `离职日期：${user.leftOn.slice(0, 10)}` : undefined}
    >
      <Dict of={staffUserStates.dictionary} code={user.state} />
      {isTimedLocked(user) && (
        <Mark tone="warning" title={`密码多次错误，临时锁定至 ${showInstant(user.lockedUntil!)}`}>
          临时锁定
        </Mark>
      )}
    </span>
  );
}
