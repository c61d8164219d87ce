import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { lowcodeErrors } from './errors.ts';
import { lowcodePermissions as may } from './permissions.ts';

const edit = may['page.edit'].code;
const publish = may['page.publish'].code;

/** A page from its making to its removal; what happens to its versions follows from it. */
export const pageMachine = stateMachine(
  'lowcode.page',
  {
    NEW: { label: '未发布' },
    ONLINE: { label: '已发布', tone: 'success' },
    OFFLINE: { label: '已下线' },
    REMOVED: { label: '已删除' },
  },
  {
    modify: { label: '修改信息', from: ['NEW', 'ONLINE', 'OFFLINE'], permission: edit, opinion: 'none' },
    draft: { label: '新建草稿', from: ['NEW', 'ONLINE', 'OFFLINE'], permission: edit, opinion: 'none' },
    discard: { label: '放弃草稿', from: ['ONLINE', 'OFFLINE'], permission: edit, opinion: 'none', danger: true },
    /** Another person's act where the security policy says so (`publish.ts`). */
    publish: {
      label: '发布',
      from: ['NEW', 'ONLINE'],
      to: 'ONLINE',
      permission: publish,
      opinion: 'optional',
      otherThan: lowcodeErrors.FOUR_EYES,
      passes: true,
    },
    rollback: { label: '回滚', from: ['ONLINE'], to: 'ONLINE', permission: publish, opinion: 'optional' },
    release: { label: '系统升级', from: ['NEW', 'ONLINE'], to: 'ONLINE', permission: 'system', opinion: 'none' },
    offline: { label: '下线', from: ['ONLINE'], to: 'OFFLINE', permission: publish, opinion: 'required', danger: true },
    online: { label: '重新上线', from: ['OFFLINE'], to: 'ONLINE', permission: publish, opinion: 'optional' },
    remove: {
      label: '删除',
      from: ['NEW', 'OFFLINE'],
      to: 'REMOVED',
      permission: may['page.remove'].code,
      opinion: 'required',
      danger: true,
    },
    lock: { label: '锁定', from: ['NEW', 'ONLINE', 'OFFLINE'], permission: publish, opinion: 'required' },
    unlock: { label: '解锁', from: ['NEW', 'ONLINE', 'OFFLINE'], permission: publish, opinion: 'required' },
  },
);
